package io.highwater.broker.partition;

import io.vertx.core.Future;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** One replica hosted here. Any thread. */
@SuppressWarnings({"DoNotCallSuggester", "UnusedVariable"})
public final class Partition {
    private final TopicPartition topicPartition;
    private final Uuid topicId;

    Partition(TopicPartition topicPartition, Uuid topicId) {
        this.topicPartition = topicPartition;
        this.topicId = topicId;
    }

    /** Topic name and partition index. */
    public TopicPartition topicPartition() {
        return topicPartition;
    }

    /** The id of its topic. */
    public Uuid topicId() {
        return topicId;
    }

    /** True while this replica leads and takes records. */
    public boolean isLeader() {
        throw new UnsupportedOperationException();
    }

    /** The leader epoch this replica is in, -1 before it has a role. */
    public int leaderEpoch() {
        throw new UnsupportedOperationException();
    }

    /** First offset kept. */
    public long logStartOffset() {
        throw new UnsupportedOperationException();
    }

    /** Next offset to be written (exclusive end of the log). */
    public long logEndOffset() {
        throw new UnsupportedOperationException();
    }

    /** All below is committed (exclusive). */
    public long highWatermark() {
        throw new UnsupportedOperationException();
    }

    /** No open transaction below it (exclusive). */
    public long lastStableOffset() {
        throw new UnsupportedOperationException();
    }

    /** Bytes of the log's segments. */
    public long sizeBytes() {
        throw new UnsupportedOperationException();
    }

    /**
     * A client's write. The future completes when {@code acks} is satisfied, refused or out of time; never fails, a broken
     * disk is KAFKA_STORAGE_ERROR.
     *
     * @param records exactly one batch of magic 2; patched in place (offsets, epoch), so the caller must not reuse the bytes
     * @param acks 0, 1 or -1
     * @param timeoutMs how long acks=-1 may wait for the other replicas
     */
    public Future<AppendOutcome> produce(MemoryRecords records, short acks, int timeoutMs) {
        throw new UnsupportedOperationException();
    }

    /**
     * A coordinator's write, done when the leader's log has it; learn of the commit from a {@link HighWatermarkListener}.
     * Never fails by exception because of the disk or the role: see {@link AppendOutcome#error()}.
     */
    public AppendOutcome appendAsCoordinator(MemoryRecords records) {
        throw new UnsupportedOperationException();
    }

    /**
     * Records from {@code offset} on up to the log end (not only the committed ones), copied to the heap: for loading a
     * coordinator's state, not for serving. Empty at the log end; at least one whole batch otherwise. Blocks for the disk.
     *
     * @throws org.apache.kafka.common.errors.ApiException if not leader, offline, or the offset is outside the log
     */
    public MemoryRecords readToLoad(long offset, int maxBytes) {
        throw new UnsupportedOperationException();
    }

    /** From now on {@code listener} hears of high watermarks, until removed or the partition goes away. */
    public void addHighWatermarkListener(HighWatermarkListener listener) {
        throw new UnsupportedOperationException();
    }

    /** Undoes {@link #addHighWatermarkListener}; a call under way may still arrive. */
    public void removeHighWatermarkListener(HighWatermarkListener listener) {
        throw new UnsupportedOperationException();
    }
}
