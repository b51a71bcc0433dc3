package io.highwater.broker.partition;

import io.highwater.storage.dir.DirectoryIdentity;
import io.highwater.storage.dir.LogDirectory;
import io.highwater.storage.dir.OffsetCheckpoint;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** One log directory with the partitions that live in it: their checkpoints, and whether it still works. Any thread. */
final class DataDirectory {
    private final LogDirectory files;
    private final Uuid id;
    private final Set<Partition> partitions = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean online = new AtomicBoolean(true);

    /** Logs that lie here but could not be opened, though the directory works: no checkpoint may forget them. */
    private final Map<TopicIdPartition, LastKnown> unopened = new ConcurrentHashMap<>();

    /** What each checkpoint file holds, so that an idle broker writes nothing. Guarded by this. */
    private final Map<OffsetCheckpoint, Map<TopicPartition, Long>> written = new HashMap<>();

    /** Whether the process before this one had closed its logs in order. */
    private final boolean clean;

    /** Kept where the metadata log is. */
    private volatile @Nullable Headroom headroom;

    DataDirectory(LogDirectory files, boolean clean) {
        DirectoryIdentity identity = files.identity();
        Uuid directoryId = identity == null ? null : identity.directoryId();
        if (directoryId == null) {
            throw new IllegalStateException("log directory " + files + " has not been formatted");
        }
        this.files = files;
        this.id = directoryId;
        this.clean = clean;
    }

    LogDirectory files() {
        return files;
    }

    Uuid id() {
        return id;
    }

    boolean isClean() {
        return clean;
    }

    boolean isOnline() {
        return online.get();
    }

    /** True for the first who says so. */
    boolean takeOffline() {
        return online.compareAndSet(true, false);
    }

    /** From now on room is held back here for the metadata log. */
    Headroom keepHeadroom() {
        Headroom kept = new Headroom(files.path(), files::usableBytes);
        headroom = kept;
        return kept;
    }

    /** The disk is full. */
    void onFull() {
        Headroom kept = headroom;
        if (kept != null) {
            kept.giveUp();
        }
    }

    /** Whether what room there is belongs to the metadata log. Hot. */
    boolean refusesRecords() {
        Headroom kept = headroom;
        return kept != null && kept.isGivenUp();
    }

    Set<Partition> partitions() {
        return partitions;
    }

    /** What is known of a log that lies here unopened, or null. */
    @Nullable
    LastKnown unopened(TopicIdPartition replica) {
        return unopened.get(replica);
    }

    void couldNotOpen(TopicIdPartition replica, LastKnown known) {
        unopened.put(replica, known);
    }

    void opened(TopicIdPartition replica) {
        unopened.remove(replica);
    }

    /** Whether the next start could take a log for one that was closed in order when it was not. */
    boolean hasUncleanUnopened() {
        return unopened.values().stream().anyMatch(known -> !known.clean());
    }

    void checkpointRecoveryPoints() throws IOException {
        write(files.recoveryPoints(), partition -> partition.log().recoveryPoint(), LastKnown::recoveryPoint);
    }

    void checkpointHighWatermarks() throws IOException {
        write(files.highWatermarks(), Partition::highWatermark, LastKnown::highWatermark);
    }

    void checkpointLogStarts() throws IOException {
        // A log that starts where its first segment does needs no entry.
        write(
                files.logStartOffsets(),
                partition -> partition.logStartOffset() > partition.log().firstSegmentBaseOffset()
                        ? partition.logStartOffset()
                        : -1,
                LastKnown::logStart);
    }

    private synchronized void write(
            OffsetCheckpoint checkpoint, ToLongFunction<Partition> offset, ToLongFunction<LastKnown> offsetOfUnopened)
            throws IOException {
        if (!online.get()) {
            return;
        }
        Map<TopicPartition, Long> offsets = new HashMap<>();
        unopened.forEach(
                (replica, known) -> offsets.put(replica.topicPartition(), offsetOfUnopened.applyAsLong(known)));
        for (Partition partition : partitions) {
            long value = offset.applyAsLong(partition);
            if (value >= 0) {
                offsets.put(partition.topicPartition(), value);
            }
        }
        if (!offsets.equals(written.get(checkpoint))) {
            checkpoint.write(offsets);
            written.put(checkpoint, offsets);
        }
    }

    @Override
    public String toString() {
        return files.toString();
    }
}
