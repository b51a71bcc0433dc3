package io.highwater.storage.segment;

import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * Reads the header of the batch at a position of a buffer. Hot: no object per batch. Magic 0 and 1, which only old data
 * directories hold, are understood as far as walking over them needs.
 */
public final class BatchHeader {
    /** Bytes before the part that the length field counts. */
    public static final int LENGTH_OVERHEAD = 12;

    /** Bytes of a magic 2 header; no batch of records is shorter. */
    public static final int SIZE = 61;

    private static final int LENGTH = 8;
    private static final int LEADER_EPOCH = 12;
    private static final int MAGIC = 16;
    private static final int LEGACY_TIMESTAMP = 18;
    private static final int LAST_OFFSET_DELTA = 23;
    private static final int MAX_TIMESTAMP = 35;

    /** Smallest length field of any magic: CRC, magic and attributes, two lengths. */
    private static final int LEGACY_MIN_LENGTH = 14;

    /** Bytes of the smallest batch of any magic. */
    static final int LEGACY_SIZE = LENGTH_OVERHEAD + LEGACY_MIN_LENGTH;

    private BatchHeader() {}

    /** Size of the whole batch, or -1 if the length field cannot be one (zeros behind the data, or garbage). */
    public static int sizeInBytes(ByteBuffer buffer, int position) {
        int length = buffer.getInt(position + LENGTH);
        return length < LEGACY_MIN_LENGTH || length > Integer.MAX_VALUE - LENGTH_OVERHEAD
                ? -1
                : length + LENGTH_OVERHEAD;
    }

    /** First offset; of a compressed batch of magic 0 or 1, its last. */
    public static long baseOffset(ByteBuffer buffer, int position) {
        return buffer.getLong(position);
    }

    /** Last offset (inclusive). */
    public static long lastOffset(ByteBuffer buffer, int position) {
        long offset = buffer.getLong(position);
        return magic(buffer, position) < RecordBatch.MAGIC_VALUE_V2
                ? offset
                : offset + buffer.getInt(position + LAST_OFFSET_DELTA);
    }

    /** Epoch of the leader that wrote the batch, or -1. */
    public static int leaderEpoch(ByteBuffer buffer, int position) {
        return magic(buffer, position) < RecordBatch.MAGIC_VALUE_V2
                ? RecordBatch.NO_PARTITION_LEADER_EPOCH
                : buffer.getInt(position + LEADER_EPOCH);
    }

    /** Largest timestamp of the records, in ms, or -1. */
    public static long maxTimestamp(ByteBuffer buffer, int position) {
        byte magic = magic(buffer, position);
        if (magic >= RecordBatch.MAGIC_VALUE_V2) {
            return buffer.getLong(position + MAX_TIMESTAMP);
        }
        return magic == RecordBatch.MAGIC_VALUE_V1
                ? buffer.getLong(position + LEGACY_TIMESTAMP)
                : RecordBatch.NO_TIMESTAMP;
    }

    /** Format version of the batch. */
    public static byte magic(ByteBuffer buffer, int position) {
        return buffer.get(position + MAGIC);
    }
}
