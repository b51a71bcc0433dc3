package io.highwater.storage.log;

import static io.highwater.storage.log.LogFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that has five batches in flight when its broker ends sends them all again: none may be there twice. */
class ProducersAfterAStartTest {
    @TempDir
    Path temporary;

    private LogFixture fixture;

    @BeforeEach
    void createFixture() {
        fixture = new LogFixture(temporary);
    }

    @Test
    void fiveBatchesInFlightAreStillKnownAfterACrash() throws IOException {
        PartitionLog log = fixture.openClean();
        append(log, 0, 7);
        log.abandon();

        PartitionLog recovered = fixture.openAfterCrash(0);

        assertKnown(recovered, 2, 7);
        recovered.close();
    }

    @Test
    void fiveBatchesInFlightAreStillKnownAfterACleanStop() throws IOException {
        PartitionLog log = fixture.openClean();
        append(log, 0, 7);
        log.close();

        PartitionLog reopened = fixture.openClean();

        assertKnown(reopened, 2, 7);
        reopened.close();
    }

    @Test
    void theyAreKnownAlsoWhenTheyLieInSeveralSegments() throws IOException {
        PartitionLog log = fixture.openClean();
        append(log, 0, 3);
        log.roll(NOW);
        append(log, 3, 5);
        log.roll(NOW);
        append(log, 5, 6);
        log.roll(NOW);
        log.abandon();

        PartitionLog recovered = fixture.openAfterCrash(0);

        assertKnown(recovered, 1, 6);
        recovered.close();
    }

    @Test
    void theyAreKnownBehindMoreThanIsSearched() throws IOException {
        PartitionLog log = fixture.with("internal.segment.bytes", 20_000_000)
                .with("max.message.bytes", 2_000_000)
                .openClean();
        fixture.append(log, 0, "x".repeat(1_000_000));
        fixture.append(log, 0, "x".repeat(1_000_000));
        append(log, 0, 2);
        fixture.append(log, 0, "x".repeat(1_900_000));
        fixture.append(log, 0, "x".repeat(1_900_000));
        append(log, 2, 6);
        log.abandon();

        PartitionLog recovered = fixture.openAfterCrash(0);

        assertThat(log.logEndOffset()).isEqualTo(10);
        assertKnown(recovered, 2, 6);
        recovered.close();
    }

    @Test
    void aTruncationForgetsNoneOfThoseThatStay() throws IOException {
        PartitionLog log = fixture.openClean();
        append(log, 0, 6);
        log.roll(NOW);
        append(log, 6, 7);

        log.truncateTo(6, NOW);

        assertKnown(log, 1, 6);
        log.close();
    }

    private void append(PartitionLog log, int from, int to) {
        for (int sequence = from; sequence < to; sequence++) {
            assertThat(send(log, sequence).duplicate()).isFalse();
        }
    }

    private void assertKnown(PartitionLog log, int from, int to) {
        for (int sequence = from; sequence < to; sequence++) {
            AppendResult again = send(log, sequence);
            assertThat(again.error()).as("sequence %d", sequence).isEqualTo(Errors.NONE);
            assertThat(again.duplicate()).as("sequence %d", sequence).isTrue();
        }
        assertThat(send(log, to).duplicate()).isFalse();
    }

    private AppendResult send(PartitionLog log, int sequence) {
        return fixture.append(
                log,
                0,
                MemoryRecords.withIdempotentRecords(
                        Compression.NONE, 7, (short) 0, sequence, LogFixture.simple(NOW, "value " + sequence)));
    }
}
