package io.highwater.storage.producer;

/**
 * A producer as shown to an administrator.
 *
 * @param producerId its id
 * @param producerEpoch last epoch seen, -1 if none
 * @param lastSequence of its last batch, -1 if none is known
 * @param lastTimestampMs of its last batch or marker
 * @param coordinatorEpoch of its last marker, -1 if none
 * @param openTransactionFirstOffset -1 if no transaction is open
 */
public record ActiveProducer(
        long producerId,
        short producerEpoch,
        int lastSequence,
        long lastTimestampMs,
        int coordinatorEpoch,
        long openTransactionFirstOffset) {}
