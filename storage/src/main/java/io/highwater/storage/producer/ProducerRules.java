package io.highwater.storage.producer;

import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** What a leader refuses, given what it knows of the producer (null is nothing). Decides only. */
final class ProducerRules {
    /** Transaction version from which a marker's epoch is one above that of the data. */
    private static final short BUMPING_TRANSACTION_VERSION = 2;

    private ProducerRules() {}

    static ProducerVerdict client(@Nullable ProducerState state, ProducerBatch batch, long logEndOffset) {
        if (state == null) {
            return unknownClient(batch, logEndOffset);
        }
        AppendedBatch same = state.find(batch.producerEpoch(), batch.baseSequence(), batch.lastSequence());
        if (same != null) {
            return ProducerVerdict.duplicate(same);
        }
        if (isFenced(state, batch)) {
            return fenced(state, batch);
        }
        int expected = expectedSequence(state, batch.producerEpoch());
        if (batch.baseSequence() != expected) {
            return ProducerVerdict.refused(
                    Errors.OUT_OF_ORDER_SEQUENCE_NUMBER,
                    "producer " + batch.producerId() + " sends sequence " + batch.baseSequence() + " in epoch "
                            + batch.producerEpoch() + ", but " + expected + " is next (last seen: "
                            + state.lastSequence() + " in epoch " + state.epoch + ")");
        }
        return transaction(state, batch);
    }

    /**
     * An unknown producer may start anywhere, since its older batches may have expired or been deleted; but not in a log that never had a
     * record. There its first batch has been refused, by a broker that did not lead yet, and comes again (KAFKA-14359).
     */
    private static ProducerVerdict unknownClient(ProducerBatch batch, long logEndOffset) {
        if (logEndOffset == 0 && batch.baseSequence() != 0) {
            return ProducerVerdict.refused(
                    Errors.OUT_OF_ORDER_SEQUENCE_NUMBER,
                    "producer " + batch.producerId() + " sends sequence " + batch.baseSequence()
                            + " to a log that never had a record, where 0 is next");
        }
        return ProducerVerdict.ACCEPTED;
    }

    static ProducerVerdict coordinator(@Nullable ProducerState state, ProducerBatch batch) {
        if (state == null) {
            return ProducerVerdict.ACCEPTED;
        }
        return isFenced(state, batch) ? fenced(state, batch) : transaction(state, batch);
    }

    static ProducerVerdict marker(@Nullable ProducerState state, TransactionMarker marker, short transactionVersion) {
        if (state == null) {
            return ProducerVerdict.ACCEPTED;
        }
        boolean bumping = transactionVersion >= BUMPING_TRANSACTION_VERSION;
        boolean old = bumping ? marker.producerEpoch() <= state.epoch : marker.producerEpoch() < state.epoch;
        if (old && !(bumping && isRepeat(state, marker))) {
            return ProducerVerdict.refused(
                    Errors.INVALID_PRODUCER_EPOCH,
                    "a marker of epoch " + marker.producerEpoch() + " cannot end a transaction of producer "
                            + marker.producerId() + ", which is at epoch " + state.epoch);
        }
        if (marker.coordinatorEpoch() < state.coordinatorEpoch) {
            return ProducerVerdict.refused(
                    Errors.TRANSACTION_COORDINATOR_FENCED,
                    "a marker of coordinator epoch " + marker.coordinatorEpoch() + " comes after one of "
                            + state.coordinatorEpoch);
        }
        return ProducerVerdict.ACCEPTED;
    }

    /** A coordinator that did not hear the answer sends its marker again; the last epoch of all cannot be bumped. */
    private static boolean isRepeat(ProducerState state, TransactionMarker marker) {
        return marker.producerEpoch() == state.epoch && (!state.hasOpenTransaction() || state.epoch == Short.MAX_VALUE);
    }

    /** Sequences are positive ints that wrap to 0; a new epoch starts at 0. */
    private static int expectedSequence(ProducerState state, short epoch) {
        if (epoch != state.epoch || state.lastSequence() == Integer.MAX_VALUE) {
            return 0;
        }
        return state.lastSequence() + 1;
    }

    private static boolean isFenced(ProducerState state, ProducerBatch batch) {
        return batch.producerEpoch() < state.epoch;
    }

    private static ProducerVerdict fenced(ProducerState state, ProducerBatch batch) {
        return ProducerVerdict.refused(
                Errors.INVALID_PRODUCER_EPOCH,
                "producer " + batch.producerId() + " writes with epoch " + batch.producerEpoch() + ", but epoch "
                        + state.epoch + " was seen");
    }

    private static ProducerVerdict transaction(ProducerState state, ProducerBatch batch) {
        if (state.hasOpenTransaction() && !batch.transactional()) {
            return ProducerVerdict.refused(
                    Errors.INVALID_TXN_STATE,
                    "producer " + batch.producerId() + " has a transaction open and writes outside of it");
        }
        return ProducerVerdict.ACCEPTED;
    }
}
