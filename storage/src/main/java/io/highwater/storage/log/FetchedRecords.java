package io.highwater.storage.log;

import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * What was fetched from a leader, looked at before the lock of the log that it is for: that reads every byte, and needs nothing of the log.
 *
 * @param bytes whole sound batches, none if there are none
 * @param firstOffset of the first batch, -1 if there is none
 * @param lastOffset of the last batch (inclusive), -1 if there is none
 * @param maxTimestampMs the largest timestamp, -1 if there is none
 * @param whyCorrupt what is wrong, and so nothing is to be taken; null if nothing is
 */
public record FetchedRecords(
        ByteBuffer bytes,
        long firstOffset,
        long lastOffset,
        long maxTimestampMs,
        @Nullable String whyCorrupt) {

    /**
     * Looks at everything. Batches of an epoch above {@code leaderEpoch}, and all behind, are left out; a cut batch at the end is ignored.
     *
     * @param leaderEpoch the epoch the fetch was made in
     */
    public static FetchedRecords of(MemoryRecords records, int leaderEpoch) {
        long firstOffset = -1;
        long lastOffset = -1;
        long maxTimestampMs = -1;
        int validBytes = 0;
        try {
            for (MutableRecordBatch batch : records.batches()) {
                if (batch.partitionLeaderEpoch() > leaderEpoch) {
                    break; // written by a leader that this fetch did not ask; it will come again with its own epoch
                }
                long base = baseOffset(batch);
                if (base <= lastOffset || batch.lastOffset() < base) {
                    return corrupt("offsets " + base + " to " + batch.lastOffset() + " follow " + lastOffset);
                }
                batch.ensureValid();
                if (validBytes == 0) {
                    firstOffset = base;
                }
                lastOffset = batch.lastOffset();
                maxTimestampMs = Math.max(maxTimestampMs, batch.maxTimestamp());
                validBytes += batch.sizeInBytes();
            }
        } catch (RuntimeException e) {
            return corrupt(e.toString()); // nothing is at work here but these bytes, and there is no end to what may be
            // wrong with them
        }
        return new FetchedRecords(records.buffer().slice(0, validBytes), firstOffset, lastOffset, maxTimestampMs, null);
    }

    /** Where a batch begins, which an old one only says in its first record. */
    static long baseOffset(RecordBatch batch) {
        return batch.magic() >= RecordBatch.MAGIC_VALUE_V2 ? batch.baseOffset() : batch.lastOffset();
    }

    /** Whether there is nothing to take, and nothing wrong. */
    public boolean isEmpty() {
        return lastOffset < 0 && whyCorrupt == null;
    }

    int sizeBytes() {
        return bytes.limit();
    }

    private static FetchedRecords corrupt(String why) {
        return new FetchedRecords(ByteBuffer.allocate(0), -1, -1, -1, why);
    }
}
