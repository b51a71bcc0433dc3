package io.highwater.coordination.group;

import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * The partitions of {@code __consumer_offsets} that this broker leads, as the coordinator needs them. Implemented by the broker; called from
 * the coordinator's threads, several partitions at once, one partition never from two threads at once for {@link #append}.
 *
 * <p>Every call that depends on leadership names the leader epoch it believes in. Thereby a write that was decided in one reign can never
 * land in a later one, whatever happened in between.
 *
 * <p>Refusals are Kafka's own exceptions ({@link org.apache.kafka.common.errors.ApiException}): {@code NotLeaderOrFollowerException} when the
 * partition is not led here in that epoch or is unknown, {@code NotEnoughReplicasException}, {@code RecordTooLargeException},
 * {@code KafkaStorageException}. The library chooses what its client sees by their type.
 */
public interface OffsetsPartitions {

    /** Told the high watermark (exclusive) of a partition after it moved; also once, with the present value, when it is registered. */
    @FunctionalInterface
    interface CommitListener {
        /**
         * Returns at once and takes no lock of the broker's, so it may be called from anywhere, also from inside
         * {@link OffsetsPartitions#append}. Two calls may overtake each other; values may be left out, but never the last one.
         *
         * @param highWatermark all offsets below are committed
         */
        void onCommitted(int partition, long highWatermark);
    }

    /**
     * Appends one batch with acks=all semantics (too few in-sync replicas refuse it) and does not wait for its replication. The buffer belongs
     * to the caller again on return: whoever keeps it copies it.
     *
     * @return the last offset of the batch plus one
     * @throws org.apache.kafka.common.errors.ApiException see the type's comment
     */
    long append(int partition, int leaderEpoch, MemoryRecords batch);

    /**
     * Reads whole batches up to the log end, committed or not: at least one if the log holds any at or after the offset, else none. The answer
     * is a copy or otherwise stays readable for as long as it is reachable. May wait for a disk.
     *
     * @param offset of the first record wanted, inclusive; the first batch may start before it
     * @param maxBytes how much to answer at most, but for the first batch, which always comes whole
     * @throws org.apache.kafka.common.errors.ApiException see the type's comment
     */
    MemoryRecords read(int partition, int leaderEpoch, long offset, int maxBytes);

    /**
     * Where the log of a partition led here begins and ends now.
     *
     * @throws org.apache.kafka.common.errors.ApiException see the type's comment
     */
    Extent extent(int partition, int leaderEpoch);

    /** {@code max.message.bytes} of the topic now: batches larger than that would be refused. Asked for each batch. */
    int maxBatchBytes(int partition);

    /** Starts to tell the listener about a partition. A partition has at most one; a new one replaces the old. */
    void listen(int partition, CommitListener listener);

    /** Stops telling, if that listener is the present one. A call already under way may still arrive. */
    void unlisten(int partition, CommitListener listener);

    /**
     * A log's bounds.
     *
     * @param logStartOffset first offset kept
     * @param highWatermark all below is committed (exclusive)
     * @param logEndOffset next offset to be written (exclusive)
     */
    record Extent(long logStartOffset, long highWatermark, long logEndOffset) {}
}
