package io.highwater.controlplane;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One listener of ours among the library's publishers. Owned by the loader's thread. */
final class ListenerPublisher implements MetadataPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(ListenerPublisher.class);

    private final String name;
    private final ImageListener listener;
    private final ImagePublisher images;
    private final CompletableFuture<Void> firstTold;

    ListenerPublisher(int number, ImageListener listener, ImagePublisher images, CompletableFuture<Void> firstTold) {
        this.name = "highwater-listener-" + number;
        this.listener = listener;
        this.images = images;
        this.firstTold = firstTold;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void onMetadataUpdate(MetadataDelta delta, MetadataImage newImage, LoaderManifest manifest) {
        boolean first = !firstTold.isDone();
        ImageChange change = first ? images.everything() : images.changeOf(delta);
        if (change.isEmpty() && !first) {
            return; // an idle controller writes a NoOp twice a second
        }
        try {
            listener.onChange(change);
        } catch (RuntimeException theirs) {
            LOG.error(
                    "a listener failed on the image at offset {}",
                    change.after().offset(),
                    theirs);
        }
        firstTold.complete(null);
    }

    @Override
    public void close() {
        firstTold.completeExceptionally(new ControlPlaneException(
                ControlPlaneException.Reason.NOT_RUNNING, "the control plane was closed before it had caught up"));
    }
}
