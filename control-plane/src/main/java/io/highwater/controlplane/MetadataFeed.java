package io.highwater.controlplane;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.image.loader.MetadataLoader;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.image.publisher.SnapshotEmitter;
import org.apache.kafka.image.publisher.SnapshotGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns the committed metadata log into images and tells those who listen; also writes the log's snapshots. */
final class MetadataFeed {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataFeed.class);

    private final MetadataLoader loader;
    private final SnapshotGenerator snapshots;
    private final ImagePublisher images;
    private final AtomicInteger listeners = new AtomicInteger();

    /** @param onLeaderChange told on the quorum's thread when it knows another leader, or none */
    MetadataFeed(
            NodeSettings settings,
            StaticConfig config,
            ImagePublisher images,
            QuorumNode quorum,
            Runnable onLeaderChange,
            Faults faults) {
        String prefix = "highwater-" + settings.nodeId() + "-";
        this.images = images;
        loader = new MetadataLoader.Builder()
                .setNodeId(settings.nodeId())
                .setThreadNamePrefix(prefix)
                .setFaultHandler(
                        settings.isController()
                                ? faults.fatal("metadata loader")
                                : faults.survivable("metadata loader"))
                .setHighWaterMarkAccessor(quorum::highWatermark)
                .build();
        SnapshotEmitter emitter = new SnapshotEmitter.Builder()
                .setNodeId(settings.nodeId())
                .setRaftClient(quorum.client())
                .build();
        snapshots = new SnapshotGenerator.Builder(emitter)
                .setNodeId(settings.nodeId())
                .setFaultHandler(faults.survivable("metadata snapshots"))
                .setMaxBytesSinceLastSnapshot(config.snapshotMaxNewBytes())
                .setMaxTimeSinceLastSnapshotNs(config.snapshotMaxIntervalNs())
                .setDisabledReason(new AtomicReference<>())
                .setThreadNamePrefix(prefix)
                .build();
        install(images, snapshots);
        quorum.register(new LeaderWatch(loader, onLeaderChange));
    }

    /** Adds the library's own publishers; the first call of each comes when the node has caught up. */
    void install(MetadataPublisher... publishers) {
        CompletableFuture<Void> unused = loader.installPublishers(List.of(publishers));
    }

    /** Adds a listener of ours. */
    CompletionStage<Void> listen(ImageListener listener) {
        CompletableFuture<Void> firstTold = new CompletableFuture<>();
        install(new ListenerPublisher(listeners.incrementAndGet(), listener, images, firstTold));
        return firstTold;
    }

    /** Stops both threads; no listener is called any more when it returns. */
    void close() {
        loader.beginShutdown();
        snapshots.beginShutdown();
        try {
            loader.close();
            snapshots.close();
        } catch (Exception failed) {
            LOG.warn("the metadata loader did not stop cleanly", failed);
        }
    }
}
