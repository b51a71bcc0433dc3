package io.highwater.broker.partition;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.disk.DiskWorkers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What comes round by the clock for all partitions: checkpoints, retention, flushes, forgetting, looking for laggards. */
final class Upkeep {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

    /** Logs are asked this often whether {@code flush.ms} has passed, unless the configuration says more often. */
    private static final long FLUSH_LOOK_MAX_MS = 1_000;

    private final DiskWorkers disk;
    private final PartitionMap map;
    private final Hosting hosting;
    private final Runnable retryHomeless;
    private final List<Runnable> ends = new ArrayList<>();

    /** Rounds that are rare begin earlier than a whole interval after the start. */
    private long firstMs;

    /** @param retryHomeless begins a round of {@link HomelessReplicas#retry} */
    Upkeep(DiskWorkers disk, PartitionMap map, Hosting hosting, Runnable retryHomeless) {
        this.disk = disk;
        this.map = map;
        this.hosting = hosting;
        this.retryHomeless = retryHomeless;
    }

    private interface DirectoryWork {
        void on(DataDirectory directory) throws IOException;
    }

    private interface PartitionWork {
        void on(Partition partition) throws IOException;
    }

    void start(BrokerConfig config) {
        firstMs = config.getLong("log.initial.task.delay.ms");
        every(
                config.getLong("replica.high.watermark.checkpoint.interval.ms"),
                "high watermark checkpoint",
                () -> directories(DataDirectory::checkpointHighWatermarks));
        every(
                config.getInt("log.flush.offset.checkpoint.interval.ms"),
                "recovery point checkpoint",
                () -> directories(DataDirectory::checkpointRecoveryPoints));
        every(
                config.getInt("log.flush.start.offset.checkpoint.interval.ms"),
                "log start checkpoint",
                () -> directories(DataDirectory::checkpointLogStarts));
        every(config.getLong("log.retention.check.interval.ms"), "retention", () -> partitions(Partition::retain));
        every(
                Math.min(FLUSH_LOOK_MAX_MS, config.getLong("log.flush.scheduler.interval.ms")),
                "flush",
                () -> partitions(Partition::flushIfDue));
        every(
                config.getInt("producer.id.expiration.check.interval.ms"),
                "expiry of producers",
                () -> partitions(Partition::expireProducers));
        DataDirectory metadata = hosting.directoryAt(config.metadataLogDir());
        if (metadata != null) {
            Headroom headroom = metadata.keepHeadroom();
            every(Headroom.LOOK_MS, "look at the room for metadata", headroom::look);
            ends.add(() -> end(headroom));
        }
        every(HomelessReplicas.RETRY_MS, "retry of replicas without room", retryHomeless::run);
        every(config.getLong("replica.lag.time.max.ms") / 2, "look for laggards", () -> partitions(Partition::onTick));
    }

    /** No round begins any more. */
    void end() {
        ends.forEach(Runnable::run);
        ends.clear();
    }

    private void every(long intervalMs, String name, DiskWorkers.Task task) {
        long interval = Math.max(1, intervalMs);
        ends.add(disk.every(Math.min(interval, firstMs), interval, name, task));
    }

    private static void end(Headroom headroom) {
        try {
            headroom.end();
        } catch (IOException e) {
            LOG.warn("what was held back for the metadata log stays behind: {}", e.toString());
        }
    }

    private void directories(DirectoryWork work) {
        for (DataDirectory directory : hosting.directories()) {
            try {
                if (directory.isOnline()) {
                    work.on(directory);
                }
            } catch (IOException e) {
                hosting.failed(directory, e);
            }
        }
    }

    private void partitions(PartitionWork work) {
        for (Partition partition : map.all()) {
            try {
                if (!partition.isGone()) {
                    work.on(partition);
                }
            } catch (IOException | RuntimeException e) {
                hosting.onFailure(partition, e);
            }
        }
    }
}
