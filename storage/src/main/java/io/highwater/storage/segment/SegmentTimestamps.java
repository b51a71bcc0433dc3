package io.highwater.storage.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.CloseableIterator;
import org.jspecify.annotations.Nullable;

/** Looks for records of a segment by their timestamps, opening only batches that can hold them. For readers with a lease. */
final class SegmentTimestamps {
    private final SegmentPositions positions;
    private final SegmentIndexes indexes;

    SegmentTimestamps(SegmentPositions positions, SegmentIndexes indexes) {
        this.positions = positions;
        this.indexes = indexes;
    }

    /** The first record at or behind {@code startOffset} with this timestamp or a later one. */
    @Nullable
    TimestampedOffset find(long timestampMs, long startOffset, int maxRecordBytes) throws IOException {
        long from = Math.max(indexes.times().floorOffset(timestampMs), startOffset);
        return scan(from, timestampMs, startOffset, maxRecordBytes);
    }

    /** The first record with the largest timestamp. */
    @Nullable
    TimestampedOffset findLargest(int maxRecordBytes) throws IOException {
        Tail t = withLargest();
        return t.maxTimestampMs() < 0 ? null : scan(t.maxTimestampOffset(), t.maxTimestampMs(), 0, maxRecordBytes);
    }

    /** The tail, with the largest timestamp filled in from the time index if no append has set it yet. */
    Tail withLargest() throws IOException {
        Tail t = positions.tail();
        return t.maxTimestampMs() != Tail.UNKNOWN
                ? t
                : t.withLargest(indexes.times().lastTimestamp(), indexes.times().lastOffset());
    }

    /** As {@link #withLargest}, when batches behind the last time index entry may hold a larger timestamp. */
    Tail searchLargest() throws IOException {
        Tail t = withLargest();
        int from = indexes.offsets().floorPosition(t.maxTimestampOffset());
        if (from >= t.endPosition()) {
            return t;
        }
        ByteBuffer bytes = positions.bytes(t);
        int found = BatchWalk.withLargestTimestamp(bytes, from, t.endPosition());
        return found >= 0 && BatchHeader.maxTimestamp(bytes, found) > t.maxTimestampMs()
                ? t.withLargest(BatchHeader.maxTimestamp(bytes, found), BatchHeader.lastOffset(bytes, found))
                : t;
    }

    private @Nullable TimestampedOffset scan(long from, long timestampMs, long startOffset, int maxRecordBytes)
            throws IOException {
        int version = positions.truncations();
        try {
            return scan(positions.tail(), from, timestampMs, startOffset, maxRecordBytes);
        } catch (KafkaException e) {
            if (positions.truncations() != version) {
                return null; // zeros, where there were records a moment ago
            }
            throw e instanceof CorruptRecordException
                    ? e
                    : new CorruptRecordException(
                            "no records can be read near offset " + from + ": " + e.getMessage(), e);
        }
    }

    private @Nullable TimestampedOffset scan(Tail t, long from, long timestampMs, long startOffset, int maxRecordBytes)
            throws IOException {
        int position = indexes.offsets().floorPosition(from);
        if (position >= t.endPosition()) {
            return null;
        }
        ByteBuffer rest = positions.bytes(t).slice(position, t.endPosition() - position);
        for (MutableRecordBatch batch : MemoryRecords.readableRecords(rest).batches()) {
            if (batch.maxTimestamp() < timestampMs || batch.lastOffset() < startOffset) {
                continue;
            }
            try (CloseableIterator<Record> records =
                    batch.streamingIterator(BufferSupplier.NO_CACHING, maxRecordBytes)) {
                while (records.hasNext()) {
                    Record record = records.next();
                    if (record.timestamp() >= timestampMs && record.offset() >= startOffset) {
                        return new TimestampedOffset(record.timestamp(), record.offset(), batch.partitionLeaderEpoch());
                    }
                }
            }
        }
        return null;
    }
}
