package io.highwater.storage.producer;

import org.apache.kafka.common.record.internal.DefaultRecordBatch;

/**
 * A batch of a producer that lies in the log.
 *
 * @param lastSequence sequence of its last record
 * @param lastOffset offset of its last record (inclusive)
 * @param offsetDelta last minus first offset
 * @param timestampMs its largest timestamp
 */
public record AppendedBatch(int lastSequence, long lastOffset, int offsetDelta, long timestampMs) {
    public int firstSequence() {
        return DefaultRecordBatch.decrementSequence(lastSequence, offsetDelta);
    }

    public long firstOffset() {
        return lastOffset - offsetDelta;
    }
}
