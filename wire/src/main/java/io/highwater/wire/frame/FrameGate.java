package io.highwater.wire.frame;

/** Asked before each frame whether there is room for it. Called on the event loop of the connection. */
@FunctionalInterface
public interface FrameGate {
    /**
     * Whether a frame may be taken now. After a yes the frame follows, either as soon as its bytes are there or never, when the
     * connection ends first. After a no the decoder stops reading until {@link FrameDecoder#resume()} makes it ask again.
     *
     * @param sizeBytes of the frame, without the length in front
     */
    boolean admit(int sizeBytes);
}
