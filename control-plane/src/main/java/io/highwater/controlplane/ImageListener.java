package io.highwater.controlplane;

/** Told of each new image. */
@FunctionalInterface
public interface ImageListener {
    /**
     * A newer image holds. Called on the metadata loader's thread, for one change at a time and in order, so it must not
     * wait for long: the next image is not loaded before it returns. What it throws is logged and counted; later changes are still told.
     */
    void onChange(ImageChange change);
}
