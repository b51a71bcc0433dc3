package io.highwater.storage.producer;

import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * A batch of a producer that lies in the log.
 *
 * @param lastSequence sequence of its last record
 * @param lastOffset offset of its last record (inclusive)
 * @param offsetDelta last minus first offset
 * @param timestampMs its largest timestamp
 */
public record AppendedBatch(int lastSequence, long lastOffset, int offsetDelta, long timestampMs) {
    static AppendedBatch of(ProducerBatch batch) {
        return new AppendedBatch(
                batch.lastSequence(),
                batch.lastOffset(),
                (int) (batch.lastOffset() - batch.baseOffset()),
                batch.maxTimestamp());
    }

    public int firstSequence() {
        return DefaultRecordBatch.decrementSequence(lastSequence, offsetDelta);
    }

    /** Whether both lie at the same place with the same sequences. */
    boolean isSameAs(@Nullable AppendedBatch other) {
        return other != null
                && lastSequence == other.lastSequence
                && lastOffset == other.lastOffset
                && offsetDelta == other.offsetDelta;
    }

    public long firstOffset() {
        return lastOffset - offsetDelta;
    }
}
