package io.highwater.storage.producer;

import static io.highwater.storage.producer.ProducerStates.ALL_STABLE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What survives a restart, and what a truncation takes back. */
class SnapshotsAndReloadTest {
    private static final long DAY_MS = 86_400_000;
    private static final long NOW = 5000;

    @TempDir
    Path directory;

    @Test
    void nothingIsWrittenTwice() throws IOException {
        ProducerStates states = open();
        write(states, 1, 0, 0);

        Path first = states.takeSnapshot(true);

        assertThat(first).isEqualTo(directory.resolve("00000000000000000001.snapshot"));
        assertThat(states.takeSnapshot(true)).isNull();
        assertThat(states.newestSnapshotOffset()).isEqualTo(1);
    }

    @Test
    void anEmptyLogHasNoSnapshot() throws IOException {
        ProducerStates states = open();

        states.reload(0, 0, NOW);

        assertThat(states.takeSnapshot(false)).isNull();
        assertThat(files()).isEmpty();
    }

    @Test
    void aRestartKnowsTheLastBatchOfEachProducerAndTheOpenTransactions() throws IOException {
        ProducerStates before = open();
        write(before, 1, 0, 0);
        write(before, 1, 1, 1);
        replay(before, transactional(2, 0, 2));
        before.takeSnapshot(true);

        ProducerStates after = open();
        after.reload(0, 3, NOW);

        assertThat(after.endOffset()).isEqualTo(3);
        assertThat(after.producers()).containsExactlyInAnyOrderElementsOf(before.producers());
        assertThat(after.firstUnstableOffset()).isEqualTo(2);
        assertThat(after.checkClient(data(1, 1, 1)).duplicateOf()).isNotNull();
        assertThat(after.checkClient(data(1, 2, 3)).isRefused()).isFalse();
    }

    @Test
    void anUnusableSnapshotIsDeletedAndTheNextOlderOneTaken() throws IOException {
        ProducerStates before = open();
        write(before, 1, 0, 0);
        before.takeSnapshot(true);
        write(before, 1, 1, 1);
        Path newest = before.takeSnapshot(true);
        Files.write(newest, new byte[] {0, 1, 2});

        ProducerStates after = open();
        after.reload(0, 2, NOW);

        assertThat(after.endOffset()).isEqualTo(1);
        assertThat(files()).containsExactly("00000000000000000001.snapshot");
    }

    @Test
    void withoutAnySnapshotTheStateBeginsAtTheLogStart() throws IOException {
        ProducerStates states = open();

        states.reload(17, 20, NOW);

        assertThat(states.endOffset()).isEqualTo(17);
        assertThat(states.producerCount()).isZero();
    }

    @Test
    void snapshotsOutsideTheLogGo() throws IOException {
        ProducerStates states = open();
        for (int i = 0; i < 5; i++) {
            write(states, 1, i, i);
            states.takeSnapshot(false);
        }

        states.reload(2, 4, NOW);

        assertThat(files()).containsExactly("00000000000000000003.snapshot", "00000000000000000004.snapshot");
        assertThat(states.endOffset()).isEqualTo(4);
    }

    @Test
    void aTruncationTakesBackATransactionAndItsEnd() throws IOException {
        ProducerStates states = open();
        write(states, 1, 0, 0);
        states.takeSnapshot(false);
        replay(states, transactional(2, 0, 1));
        replay(states, marker(2, ControlRecordType.COMMIT, 2));

        states.reload(0, 1, NOW);

        assertThat(states.firstUnstableOffset()).isEqualTo(ALL_STABLE);
        assertThat(states.producerCount()).isEqualTo(1);
        assertThat(states.endOffset()).isEqualTo(1);
    }

    @Test
    void aTruncationTakesBackTheBatchesOfTheProducerThatWroteLast() throws IOException {
        ProducerStates states = open();
        write(states, 1, 0, 0);
        states.takeSnapshot(false);
        write(states, 1, 1, 1);

        states.reload(0, 1, NOW);

        assertThat(states.checkClient(data(1, 1, 1))).isEqualTo(ProducerVerdict.ACCEPTED);
        states.truncateFullyAndStartAt(3);
        assertThat(states.checkClient(data(1, 7, 3))).isEqualTo(ProducerVerdict.ACCEPTED);
    }

    @Test
    void aStateThatEndsWhereTheLogEndsIsKept() throws IOException {
        ProducerStates states = open();
        replay(states, transactional(2, 0, 0));

        states.reload(0, 1, NOW);

        assertThat(states.producerCount()).isEqualTo(1);
        assertThat(states.firstUnstableOffset()).isZero();
    }

    @Test
    void aSilentProducerIsNotLoaded() throws IOException {
        ProducerStates before = open();
        write(before, 1, 0, 0);
        replay(before, transactional(2, 0, 1));
        before.takeSnapshot(true);

        ProducerStates after = open();
        after.reload(0, 2, 1000 + DAY_MS);

        assertThat(after.producers()).extracting(ActiveProducer::producerId).containsExactly(2L);
    }

    @Test
    void startingAnewForgetsEverything() throws IOException {
        ProducerStates states = open();
        replay(states, transactional(2, 0, 0));
        states.takeSnapshot(false);

        states.truncateFullyAndStartAt(100);

        assertThat(states.endOffset()).isEqualTo(100);
        assertThat(states.producerCount()).isZero();
        assertThat(states.firstUnstableOffset()).isEqualTo(ALL_STABLE);
        assertThat(files()).isEmpty();
    }

    @Test
    void onlySnapshotsOfSegmentsAndTheNewestStrayStay() throws IOException {
        for (long offset : new long[] {0, 5, 10, 12, 20, 25, 30}) {
            Files.write(directory.resolve(String.format("%020d.snapshot", offset)), new byte[0]);
        }
        ProducerStates states = open();

        states.removeStraySnapshots(List.of(0L, 10L, 20L));

        assertThat(files())
                .containsExactly(
                        "00000000000000000000.snapshot",
                        "00000000000000000010.snapshot",
                        "00000000000000000020.snapshot",
                        "00000000000000000030.snapshot");
    }

    @Test
    void aStrayBelowTheNewestSegmentGoesToo() throws IOException {
        for (long offset : new long[] {5, 7}) {
            Files.write(directory.resolve(String.format("%020d.snapshot", offset)), new byte[0]);
        }

        open().removeStraySnapshots(List.of(0L, 10L));

        assertThat(files()).isEmpty();
    }

    @Test
    void aDetachedSnapshotWaitsUnderAnotherName() throws IOException {
        ProducerStates states = open();
        write(states, 1, 0, 0);
        states.takeSnapshot(false);

        Path detached = states.detachSnapshot(1);

        assertThat(detached).isEqualTo(directory.resolve("00000000000000000001.snapshot.deleted"));
        assertThat(states.detachSnapshot(1)).isNull();
        assertThat(open().newestSnapshotOffset()).isNull();
    }

    @Test
    void snapshotsBelowAnOffsetAreDeleted() throws IOException {
        ProducerStates states = open();
        for (int i = 0; i < 4; i++) {
            write(states, 1, i, i);
            states.takeSnapshot(false);
        }

        states.deleteSnapshotsBefore(3);

        assertThat(files()).containsExactly("00000000000000000003.snapshot", "00000000000000000004.snapshot");
        assertThat(states.oldestSnapshotOffset()).isEqualTo(3);
    }

    @Test
    void aRenamedDirectoryIsFollowed() throws IOException {
        ProducerStates states = open();
        write(states, 1, 0, 0);
        Path moved = Files.createDirectory(directory.resolve("moved"));

        states.moveTo(moved);

        assertThat(states.takeSnapshot(false)).isEqualTo(moved.resolve("00000000000000000001.snapshot"));
    }

    @Test
    void aRaisedLogStartPassesEndedTransactions() throws IOException {
        ProducerStates states = open();
        replay(states, transactional(2, 0, 0));
        replay(states, marker(2, ControlRecordType.ABORT, 1));

        states.onLogStartOffset(5);

        assertThat(states.firstUnstableOffset()).isEqualTo(ALL_STABLE);
        assertThat(states.endOffset()).isEqualTo(5);
    }

    @Test
    void aReplicaTakesWhatALeaderWouldRefuse() throws IOException {
        ProducerStates states = open();
        replay(states, transactional(2, 5, 0));
        replay(
                states,
                batch(MemoryRecords.withIdempotentRecords(1L, Compression.NONE, 2L, (short) 0, 99, 0, record())));

        assertThat(states.producers()).containsExactly(new ActiveProducer(2, (short) 0, 99, 1000, -1, 0));
    }

    @Test
    void batchesWithoutAProducerLeaveNoTrace() throws IOException {
        ProducerStates states = open();

        replay(states, batch(MemoryRecords.withRecords(Compression.NONE, record())));

        assertThat(states.producerCount()).isZero();
    }

    private ProducerStates open() throws IOException {
        return ProducerStates.open(directory, DAY_MS);
    }

    private static void write(ProducerStates states, long producer, int sequence, long offset) {
        states.appended(data(producer, sequence, offset));
        states.advanceEndOffset(offset + 1);
    }

    private static void replay(ProducerStates states, RecordBatch batch) {
        states.replay(batch);
        states.advanceEndOffset(batch.lastOffset() + 1);
    }

    private static ProducerBatch data(long producer, int sequence, long offset) {
        return new ProducerBatch(producer, (short) 0, sequence, sequence, offset, offset, 1000, false);
    }

    private static RecordBatch transactional(long producer, int sequence, long offset) {
        return batch(MemoryRecords.withTransactionalRecords(
                offset, Compression.NONE, producer, (short) 0, sequence, 0, record()));
    }

    private static RecordBatch marker(long producer, ControlRecordType type, long offset) {
        return batch(MemoryRecords.withEndTransactionMarker(
                offset, 2000, 0, producer, (short) 0, new EndTransactionMarker(type, 1)));
    }

    private static SimpleRecord record() {
        return new SimpleRecord(1000, new byte[] {1});
    }

    private static RecordBatch batch(MemoryRecords records) {
        return records.batches().iterator().next();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
