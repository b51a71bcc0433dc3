package io.highwater.storage.segment;

import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.CloseableIterator;
import org.jspecify.annotations.Nullable;

/** Looks for a record by its timestamp, opening only batches that can hold it. */
final class TimestampSearch {
    private TimestampSearch() {}

    /**
     * The first record at or behind {@code startOffset} with this timestamp or a later one.
     *
     * @param batches whole batches, the first one starting at position 0
     * @param maxRecordBytes bound for the size of one decompressed record
     */
    static @Nullable TimestampedOffset first(
            ByteBuffer batches, long timestampMs, long startOffset, int maxRecordBytes) {
        for (MutableRecordBatch batch : MemoryRecords.readableRecords(batches).batches()) {
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
