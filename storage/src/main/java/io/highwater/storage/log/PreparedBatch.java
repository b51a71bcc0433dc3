package io.highwater.storage.log;

import java.nio.ByteBuffer;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MutableRecordBatch;

/**
 * One checked batch that waits for its place in the log. The bytes are the sender's own (or, when the topic wants another codec,
 * rebuilt ones); only offset and leader epoch are missing, and both lie outside the checksum. Confined to the thread that
 * validated it, then to the partition's lock.
 */
public final class PreparedBatch {
    private static final int BASE_OFFSET_AT = 0;
    private static final int LEADER_EPOCH_AT = 12;

    private final ByteBuffer buffer;
    private final MutableRecordBatch header;
    private final int offsetDeltaOfMaxTimestamp;

    /**
     * Takes over a batch.
     *
     * @param buffer the whole batch and nothing else
     * @param header a view on the same bytes
     */
    PreparedBatch(ByteBuffer buffer, MutableRecordBatch header, int offsetDeltaOfMaxTimestamp) {
        this.buffer = buffer;
        this.header = header;
        this.offsetDeltaOfMaxTimestamp = offsetDeltaOfMaxTimestamp;
    }

    /** Gives the batch its place; afterwards {@link #header} reads as it will be on disk. May be repeated. */
    public void place(long baseOffset, int leaderEpoch) {
        buffer.putLong(BASE_OFFSET_AT, baseOffset);
        buffer.putInt(LEADER_EPOCH_AT, leaderEpoch);
    }

    /** The whole batch, position 0 to its size; a new view each time, over the same bytes. */
    public ByteBuffer buffer() {
        return buffer.duplicate();
    }

    /** The batch's fields by name: producer, sequences, flags, timestamps, offsets (0-based until {@link #place}). */
    public MutableRecordBatch header() {
        return header;
    }

    public int sizeBytes() {
        return buffer.limit();
    }

    /** Number of records, at least 1. */
    public int recordCount() {
        return (int) (header.lastOffset() - header.baseOffset() + 1);
    }

    /** Largest timestamp of its records; the broker's time if the topic uses LogAppendTime; -1 if no record has one. */
    public long maxTimestamp() {
        return header.maxTimestamp();
    }

    /** Offset, relative to the batch's base, of the first record that has {@link #maxTimestamp}. */
    public int offsetDeltaOfMaxTimestamp() {
        return offsetDeltaOfMaxTimestamp;
    }

    /** The time stamped on the batch if the topic uses LogAppendTime, else -1: what a producer is told. */
    public long logAppendTimeMs() {
        return header.timestampType() == TimestampType.LOG_APPEND_TIME ? header.maxTimestamp() : -1;
    }
}
