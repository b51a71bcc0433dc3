package io.highwater.storage.producer;

import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * What one data batch says about its producer.
 *
 * @param producerId at least 0
 * @param producerEpoch of the producer's session
 * @param baseSequence sequence of the first record, -1 if the batch has none
 * @param lastSequence sequence of the last record, -1 if the batch has none; may have wrapped to below the first
 * @param baseOffset first offset (inclusive)
 * @param lastOffset last offset (inclusive)
 * @param maxTimestamp largest timestamp in the batch
 * @param transactional whether it belongs to a transaction
 */
public record ProducerBatch(
        long producerId,
        short producerEpoch,
        int baseSequence,
        int lastSequence,
        long baseOffset,
        long lastOffset,
        long maxTimestamp,
        boolean transactional) {

    /** Reads the header of a data batch that has a producer id. */
    public static ProducerBatch of(RecordBatch batch) {
        return new ProducerBatch(
                batch.producerId(),
                batch.producerEpoch(),
                batch.baseSequence(),
                batch.lastSequence(),
                batch.baseOffset(),
                batch.lastOffset(),
                batch.maxTimestamp(),
                batch.isTransactional());
    }
}
