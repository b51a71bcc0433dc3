package io.highwater.storage.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.storage.segment.AbortedTxn;
import io.highwater.storage.segment.LogSlice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransactionsInTheLogTest {
    private static final long NOW = LogFixture.NOW;

    @TempDir
    Path directory;

    private LogFixture fixture = new LogFixture(Path.of("unset"));

    @BeforeEach
    void newFixture() {
        fixture = new LogFixture(directory);
    }

    @Test
    void anOpenTransactionHoldsTheLastStableOffsetBackUntilItsMarkerIsCommitted() throws IOException {
        PartitionLog log = fixture.openClean();
        fixture.append(log, 0, "before");
        transactional(log, 7, 0, "a", "b");
        assertThat(log.lastStableOffset(log.logEndOffset())).isEqualTo(1);

        end(log, 7, ControlRecordType.COMMIT);
        assertThat(log.lastStableOffset(log.logEndOffset())).isEqualTo(1);
        log.onHighWatermark(4);

        assertThat(log.lastStableOffset(4)).isEqualTo(4);
        log.close();
    }

    @Test
    void abortedTransactionsAreListedWithTheSlicesTheyTouch() throws IOException {
        PartitionLog log = fixture.openClean();
        transactional(log, 7, 0, "a");
        transactional(log, 8, 0, "b");
        end(log, 7, ControlRecordType.ABORT);
        end(log, 8, ControlRecordType.COMMIT);

        assertThat(aborted(log)).containsExactly(new AbortedTxn(7, 0, 2, 1));
        log.close();
        PartitionLog reopened = fixture.openClean();
        assertThat(aborted(reopened)).containsExactly(new AbortedTxn(7, 0, 2, 1));
        reopened.close();
    }

    @Test
    void recoveryFindsAbortedAndOpenTransactionsAgain() throws IOException {
        PartitionLog log = fixture.openClean();
        transactional(log, 7, 0, "a");
        end(log, 7, ControlRecordType.ABORT);
        transactional(log, 8, 0, "b");
        log.abandon();

        PartitionLog recovered = fixture.openAfterCrash(0);

        assertThat(aborted(recovered)).containsExactly(new AbortedTxn(7, 0, 1, 2));
        recovered.onHighWatermark(3);
        assertThat(recovered.lastStableOffset(3)).isEqualTo(2);
        assertThat(recovered.hasOpenTransaction(8, (short) 0)).isTrue();
        recovered.close();
    }

    @Test
    void truncationForgetsWhatProducersDidBehindIt() throws IOException {
        PartitionLog log = fixture.openClean();
        idempotent(log, 7, 0, "a");
        idempotent(log, 7, 1, "b");

        log.truncateTo(1, NOW);
        AppendResult again = idempotent(log, 7, 1, "b");

        assertThat(again.duplicate()).isFalse();
        assertThat(again.firstOffset()).isEqualTo(1);
        log.close();
    }

    @Test
    void aRepeatedBatchIsAnsweredWithItsFirstOffsetsAndNotWrittenAgain() throws IOException {
        PartitionLog log = fixture.openClean();
        idempotent(log, 7, 0, "a", "b");
        fixture.append(log, 0, "other");

        AppendResult again = idempotent(log, 7, 0, "a", "b");

        assertThat(again.duplicate()).isTrue();
        assertThat(again.firstOffset()).isZero();
        assertThat(again.lastOffset()).isEqualTo(1);
        assertThat(log.logEndOffset()).isEqualTo(3);
        assertThat(idempotent(log, 7, 5, "c").error()).isEqualTo(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
        log.close();
    }

    private List<AbortedTxn> aborted(PartitionLog log) throws IOException {
        LogSlice slice = Objects.requireNonNull(log.read(0, 10_000, log.logEndOffset(), true));
        List<AbortedTxn> found = log.abortedTransactions(slice);
        slice.release();
        return found;
    }

    private AppendResult idempotent(PartitionLog log, long producerId, int sequence, String... values) {
        return fixture.append(
                log,
                0,
                MemoryRecords.withIdempotentRecords(
                        Compression.NONE, producerId, (short) 0, sequence, LogFixture.simple(NOW, values)));
    }

    private void transactional(PartitionLog log, long producerId, int sequence, String... values) {
        AppendResult result = fixture.append(
                log,
                0,
                MemoryRecords.withTransactionalRecords(
                        Compression.NONE, producerId, (short) 0, sequence, LogFixture.simple(NOW, values)));
        assertThat(result.error()).isEqualTo(Errors.NONE);
    }

    private void end(PartitionLog log, long producerId, ControlRecordType how) {
        MemoryRecords marker = MemoryRecords.withEndTransactionMarker(
                0, NOW, 0, producerId, (short) 0, new EndTransactionMarker(how, 0));
        ValidatedRecords validated =
                new BatchValidator().validate(marker, log.settings(), AppendOrigin.COORDINATOR, NOW);
        assertThat(log.append(validated, AppendOrigin.COORDINATOR, 0, NOW).error())
                .isEqualTo(Errors.NONE);
    }
}
