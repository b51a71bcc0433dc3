package io.highwater.storage.producer;

import static io.highwater.storage.producer.ProducerStates.ALL_STABLE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules a leader keeps for its producers. */
class ProducerStatesTest {
    private static final long PRODUCER = 7;
    private static final long DAY_MS = 86_400_000;
    private static final short TV1 = 1;
    private static final short TV2 = 2;

    @TempDir
    Path directory;

    private ProducerStates states;
    private long nextOffset;

    @BeforeEach
    void open() throws IOException {
        states = ProducerStates.open(directory, DAY_MS);
    }

    // ---- duplicates and sequences -----------------------------------------------------------------------------------

    @Test
    void anUnknownProducerMayStartAnywhere() {
        states.advanceEndOffset(1);

        assertThat(states.checkClient(data(0, 4711, 1)).error()).isEqualTo(Errors.NONE);
    }

    /** Its first batch was refused by a broker that did not lead yet, and comes again: nothing may be taken before it. */
    @Test
    void aLogThatNeverHadARecordTakesTheFirstSequenceFirst() {
        assertRefused(data(0, 1, 1), Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);

        append(data(0, 0, 1));
        assertThat(states.checkClient(data(0, 1, 1)).error()).isEqualTo(Errors.NONE);
    }

    @Test
    void theLastFiveBatchesAreKnownAgain() {
        for (int sequence = 0; sequence < 12; sequence += 2) {
            append(data(0, sequence, 2));
        }

        for (int sequence = 2; sequence < 12; sequence += 2) {
            assertThat(states.checkClient(data(0, sequence, 2)).duplicateOf())
                    .isEqualTo(new AppendedBatch(sequence + 1, sequence + 1, 1, 1000));
        }
        assertRefused(data(0, 0, 2), Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
    }

    @Test
    void partOfAKnownBatchIsNoDuplicate() {
        append(data(0, 0, 3));

        assertRefused(data(0, 0, 2), Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertRefused(data(0, 1, 2), Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
    }

    @Test
    void aGapIsRefused() {
        append(data(0, 0, 3));

        assertRefused(data(0, 4, 1), Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertThat(states.checkClient(data(0, 3, 1)).isRefused()).isFalse();
    }

    @Test
    void sequencesWrapAfterTheLargestInt() {
        states.advanceEndOffset(1);
        append(data(0, Integer.MAX_VALUE - 1, 2));
        ProducerBatch wrapped = data(0, 0, 1);

        assertThat(states.checkClient(wrapped)).isEqualTo(ProducerVerdict.ACCEPTED);
        append(wrapped);
        assertThat(states.checkClient(data(0, 1, 1))).isEqualTo(ProducerVerdict.ACCEPTED);
    }

    @Test
    void aBatchThatWrapsInItsMiddleIsKnownAgain() {
        states.advanceEndOffset(1);
        append(data(0, Integer.MAX_VALUE, 3));

        assertThat(states.checkClient(data(0, Integer.MAX_VALUE, 3)).duplicateOf())
                .isNotNull();
        assertThat(states.checkClient(data(0, 2, 1))).isEqualTo(ProducerVerdict.ACCEPTED);
    }

    @Test
    void aNewEpochStartsAtZeroAndForgetsTheOld() {
        append(data(0, 0, 3));

        assertRefused(data(1, 3, 1), Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
        append(data(1, 0, 1));
        assertRefused(data(0, 0, 3), Errors.INVALID_PRODUCER_EPOCH);
        assertThat(states.checkClient(data(1, 0, 1)).duplicateOf()).isNotNull();
    }

    @Test
    void anOlderEpochIsFenced() {
        append(data(3, 0, 1));

        assertRefused(data(2, 1, 1), Errors.INVALID_PRODUCER_EPOCH);
        assertThat(states.checkCoordinator(data(2, 1, 1)).error()).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
    }

    @Test
    void aCoordinatorIsNotAskedForItsSequence() {
        append(data(0, 0, 1));

        assertThat(states.checkCoordinator(data(0, 0, 1))).isEqualTo(ProducerVerdict.ACCEPTED);
    }

    @Test
    void producersAreKeptApart() {
        append(data(0, 0, 1));

        assertThat(states.checkClient(batch(PRODUCER + 1, 0, 5, 1, false))).isEqualTo(ProducerVerdict.ACCEPTED);
        assertThat(states.checkClient(data(0, 1, 1))).isEqualTo(ProducerVerdict.ACCEPTED);
        assertThat(states.producerCount()).isEqualTo(1);
    }

    // ---- transactions -----------------------------------------------------------------------------------------------

    @Test
    void anOpenTransactionHoldsBackReaders() {
        append(data(0, 0, 2));
        append(transactional(0, 2, 2));
        append(transactional(0, 4, 2));

        assertThat(states.firstUnstableOffset()).isEqualTo(2);
        assertThat(states.hasOpenTransaction(PRODUCER, (short) 0)).isTrue();
        assertThat(states.hasOpenTransaction(PRODUCER, (short) 1)).isFalse();
    }

    @Test
    void anEndedTransactionHoldsBackReadersUntilItsMarkerIsCommitted() {
        append(transactional(0, 0, 2));

        CompletedTransaction completed = end(marker(0, 1, true));

        assertThat(completed).isEqualTo(new CompletedTransaction(PRODUCER, 0, 2, true, 3));
        assertThat(states.firstUnstableOffset()).isZero();
        states.onHighWatermark(2);
        assertThat(states.firstUnstableOffset()).isZero();
        states.onHighWatermark(3);
        assertThat(states.firstUnstableOffset()).isEqualTo(ALL_STABLE);
    }

    @Test
    void theStableEndAfterAMarkerIsTheNextOpenTransaction() {
        append(transactional(0, 0, 1));
        append(batch(PRODUCER + 1, 0, 0, 1, true));

        CompletedTransaction completed = end(marker(0, 1, false));

        assertThat(completed).isEqualTo(new CompletedTransaction(PRODUCER, 0, 2, false, 1));
        states.onHighWatermark(3);
        assertThat(states.firstUnstableOffset()).isEqualTo(1);
    }

    @Test
    void writingOutsideAnOpenTransactionIsRefused() {
        append(transactional(0, 0, 1));

        assertRefused(data(0, 1, 1), Errors.INVALID_TXN_STATE);
        assertThat(states.checkClient(transactional(0, 1, 1))).isEqualTo(ProducerVerdict.ACCEPTED);
        assertThat(states.checkCoordinator(data(0, 1, 1)).error()).isEqualTo(Errors.INVALID_TXN_STATE);
    }

    @Test
    void aMarkerWithoutATransactionEndsNothing() {
        append(data(0, 0, 1));

        assertThat(end(marker(0, 1, true))).isNull();
        assertThat(states.firstUnstableOffset()).isEqualTo(ALL_STABLE);
    }

    @Test
    void aMarkerOfAnUnknownProducerMakesItKnown() {
        assertThat(states.checkMarker(marker(4, 1, true), TV2)).isEqualTo(ProducerVerdict.ACCEPTED);

        assertThat(end(marker(4, 1, true))).isNull();

        assertRefused(data(3, 0, 1), Errors.INVALID_PRODUCER_EPOCH);
    }

    @Test
    void anOlderMarkerIsFenced() {
        append(transactional(2, 0, 1));

        assertThat(states.checkMarker(marker(1, 1, true), TV1).error()).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        assertThat(states.checkMarker(marker(2, 1, true), TV1)).isEqualTo(ProducerVerdict.ACCEPTED);
    }

    @Test
    void fromVersionTwoAMarkerMustBumpTheEpoch() {
        append(transactional(2, 0, 1));

        assertThat(states.checkMarker(marker(2, 1, true), TV2).error()).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        assertThat(states.checkMarker(marker(3, 1, true), TV2)).isEqualTo(ProducerVerdict.ACCEPTED);
    }

    @Test
    void aRepeatedMarkerOfVersionTwoIsTaken() {
        append(transactional(2, 0, 1));
        end(marker(3, 1, true));

        assertThat(states.checkMarker(marker(3, 1, true), TV2)).isEqualTo(ProducerVerdict.ACCEPTED);
        assertThat(states.checkMarker(marker(2, 1, true), TV2).error()).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
    }

    @Test
    void theLastEpochOfAllCannotBeBumped() {
        append(transactional(Short.MAX_VALUE, 0, 1));

        assertThat(states.checkMarker(marker(Short.MAX_VALUE, 1, true), TV2)).isEqualTo(ProducerVerdict.ACCEPTED);
    }

    @Test
    void aCoordinatorOfThePastIsFenced() {
        append(transactional(0, 0, 1));
        end(marker(1, 5, true));

        assertThat(states.checkMarker(marker(2, 4, true), TV2).error())
                .isEqualTo(Errors.TRANSACTION_COORDINATOR_FENCED);
        assertThat(states.checkMarker(marker(2, 5, true), TV2)).isEqualTo(ProducerVerdict.ACCEPTED);
    }

    @Test
    void afterABumpingMarkerTheProducerStartsAtZero() {
        append(transactional(0, 0, 3));
        end(marker(1, 1, false));

        assertRefused(transactional(1, 3, 1), Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertThat(states.checkClient(transactional(1, 0, 1))).isEqualTo(ProducerVerdict.ACCEPTED);
    }

    @Test
    void afterAMarkerOfTheSameEpochTheProducerGoesOn() {
        append(transactional(0, 0, 3));
        end(marker(0, 1, false));

        assertThat(states.checkClient(transactional(0, 3, 1))).isEqualTo(ProducerVerdict.ACCEPTED);
        assertThat(states.checkClient(transactional(0, 0, 3)).duplicateOf()).isNotNull();
    }

    // ---- expiry -----------------------------------------------------------------------------------------------------

    @Test
    void aSilentProducerIsForgotten() {
        append(data(0, 0, 1));
        long lastMs = 1000;

        states.removeExpired(lastMs + DAY_MS - 1);
        assertThat(states.producerCount()).isEqualTo(1);
        states.removeExpired(lastMs + DAY_MS);

        assertThat(states.producerCount()).isZero();
        assertThat(states.checkClient(data(0, 99, 1))).isEqualTo(ProducerVerdict.ACCEPTED);
    }

    @Test
    void aProducerWithAnOpenTransactionIsNotForgotten() {
        append(transactional(0, 0, 1));

        states.removeExpired(Long.MAX_VALUE / 2);

        assertThat(states.producerCount()).isEqualTo(1);
    }

    @Test
    void everythingKnownOfAProducerCanBeShown() {
        append(transactional(2, 0, 4));

        assertThat(states.producers()).containsExactly(new ActiveProducer(PRODUCER, (short) 2, 3, 1000, -1, 0));
    }

    private void append(ProducerBatch batch) {
        assertThat(states.checkClient(batch)).isEqualTo(ProducerVerdict.ACCEPTED);
        states.appended(batch);
        nextOffset = batch.lastOffset() + 1;
        states.advanceEndOffset(nextOffset);
    }

    private @Nullable CompletedTransaction end(TransactionMarker marker) {
        CompletedTransaction completed = states.ended(marker);
        nextOffset++;
        states.advanceEndOffset(nextOffset);
        return completed;
    }

    private void assertRefused(ProducerBatch batch, Errors error) {
        ProducerVerdict verdict = states.checkClient(batch);
        assertThat(verdict.error()).isEqualTo(error);
        assertThat(verdict.isRefused()).isTrue();
        assertThat(verdict.message()).contains("producer 7");
        assertThat(verdict.duplicateOf()).isNull();
    }

    private ProducerBatch data(int epoch, int sequence, int count) {
        return batch(PRODUCER, epoch, sequence, count, false);
    }

    private ProducerBatch transactional(int epoch, int sequence, int count) {
        return batch(PRODUCER, epoch, sequence, count, true);
    }

    private ProducerBatch batch(long producer, int epoch, int sequence, int count, boolean transactional) {
        int last = (int) (((long) sequence + count - 1) % (1L << 31));
        return new ProducerBatch(
                producer, (short) epoch, sequence, last, nextOffset, nextOffset + count - 1, 1000, transactional);
    }

    private TransactionMarker marker(int epoch, int coordinatorEpoch, boolean abort) {
        return new TransactionMarker(PRODUCER, (short) epoch, coordinatorEpoch, abort, nextOffset, 2000);
    }
}
