package io.highwater.storage.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highwater.storage.segment.LogSlice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Records;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionLogTest {
    @TempDir
    Path directory;

    private LogFixture fixture = new LogFixture(Path.of("unset"));

    @BeforeEach
    void newFixture() {
        fixture = new LogFixture(directory);
    }

    @Test
    void whatWasAppendedIsReadBackAfterReopening() throws IOException {
        PartitionLog log = fixture.openClean();

        AppendResult result = fixture.append(log, 3, "a", "b", "c");
        fixture.append(log, 3, "d");
        log.close();
        PartitionLog reopened = fixture.openClean();

        assertThat(result.lastOffset()).isEqualTo(2);
        assertThat(LogFixture.readAll(reopened, 0)).containsExactly("0=a", "1=b", "2=c", "3=d");
        assertThat(reopened.latestEpoch()).isEqualTo(3);
        reopened.close();
    }

    @Test
    void whatWasAppendedIsReadBackAfterACrash() throws IOException {
        PartitionLog log = fixture.openClean();
        fixture.append(log, 3, "a", "b", "c");
        fixture.append(log, 3, "d");
        LogFixture.readAll(log, 0);

        PartitionLog recovered = fixture.openAfterCrash(0);

        assertThat(LogFixture.readAll(recovered, 0)).containsExactly("0=a", "1=b", "2=c", "3=d");
        log.abandon();
        recovered.close();
    }

    @Test
    void theFirstBatchIsReturnedWholeOrNotAtAll() throws IOException {
        PartitionLog log = fixture.openClean();
        fixture.append(log, 0, "a");
        fixture.append(log, 0, "b");

        LogSlice whole = read(log, 0, 1, true);
        LogSlice nothing = read(log, 0, 68, false);
        LogSlice cut = read(log, 0, 100, false);

        assertThat(whole.sizeBytes()).isEqualTo(69);
        assertThat(nothing.isEmpty()).isTrue();
        assertThat(cut.sizeBytes()).isEqualTo(100);
        whole.release();
        cut.release();
        log.close();
    }

    @Test
    void readsStopBelowTheirBoundAndOutsideOfTheLogThereIsNothing() throws IOException {
        PartitionLog log = fixture.openClean();
        fixture.append(log, 0, "a");
        fixture.append(log, 0, "b");

        assertThat(LogFixture.readAll(log, 0, 1, 1000)).containsExactly("0=a");
        assertThat(LogFixture.readAll(log, 1, 1, 1000)).isEmpty();
        assertThat(log.read(2, 1000, 2, true)).matches(LogSlice::isEmpty);
        assertThat(log.read(3, 1000, 2, true)).isNull();
        assertThat(log.read(-1, 1000, 2, true)).isNull();
        log.close();
    }

    @Test
    void aSliceOutlivesTheLogAndIsReleasedOnce() throws IOException {
        PartitionLog log = fixture.openClean();
        fixture.append(log, 0, "a");
        LogSlice slice = read(log, 0, 1000, true);
        ByteBuffer view = slice.view();

        log.truncateFullyAndStartAt(7, LogFixture.NOW);
        log.close();
        fixture.runErrands();

        assertThat(MemoryRecords.readableRecords(view)
                        .records()
                        .iterator()
                        .next()
                        .offset())
                .isZero();
        slice.release();
        assertThatThrownBy(slice::release).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatWasJustWrittenIsHotAndWhatWasFoundOnDiskIsNotTakenToBe() throws IOException {
        PartitionLog log = fixture.openClean();
        fixture.append(log, 0, "a");
        assertThat(log.isHot(0)).isTrue();
        log.close();

        PartitionLog reopened = fixture.openClean();
        fixture.append(reopened, 0, "b");

        assertThat(reopened.isHot(0)).isFalse();
        assertThat(reopened.isHot(1)).isTrue();
        reopened.close();
    }

    @Test
    void aClosedLogRefusesEverything() throws IOException {
        PartitionLog log = fixture.openClean();
        log.close();

        assertThat(fixture.append(log, 0, "a").error()).isEqualTo(Errors.KAFKA_STORAGE_ERROR);
        assertThatThrownBy(() -> log.read(0, 1, 1, true)).isInstanceOf(KafkaStorageException.class);
        log.close();
    }

    @Test
    void aFollowerTakesOffsetsAndEpochsAsTheyAreButNoneFromANewerLeader() throws IOException {
        PartitionLog log = fixture.openClean();
        ByteBuffer fetched = ByteBuffer.allocate(1000)
                .put(LogFixture.placed(5, 1, "a", "b").buffer())
                .put(LogFixture.placed(9, 2, "c").buffer())
                .put(LogFixture.placed(10, 3, "d").buffer())
                .flip();

        AppendResult result =
                log.appendAsFollower(FetchedRecords.of(MemoryRecords.readableRecords(fetched), 2), LogFixture.NOW);

        assertThat(result.firstOffset()).isEqualTo(5);
        assertThat(result.lastOffset()).isEqualTo(9);
        assertThat(LogFixture.readAll(log, 0)).containsExactly("5=a", "6=b", "9=c");
        assertThat(log.endOffsetForEpoch(1).endOffset()).isEqualTo(9);
        assertThat(log.latestEpoch()).isEqualTo(2);
        log.close();
    }

    @Test
    void aFollowerRefusesRecordsBelowItsEndAndBadChecksums() throws IOException {
        PartitionLog log = fixture.openClean();
        log.appendAsFollower(FetchedRecords.of(LogFixture.placed(0, 1, "a", "b"), 1), LogFixture.NOW);
        MemoryRecords damaged = LogFixture.placed(2, 1, "c");
        damaged.buffer().put(66, (byte) 'x');

        assertThat(log.appendAsFollower(FetchedRecords.of(LogFixture.placed(1, 1, "b"), 1), LogFixture.NOW)
                        .error())
                .isEqualTo(Errors.CORRUPT_MESSAGE);
        assertThat(log.appendAsFollower(FetchedRecords.of(damaged, 1), LogFixture.NOW)
                        .error())
                .isEqualTo(Errors.CORRUPT_MESSAGE);
        damaged.buffer().putInt(Records.SIZE_OFFSET, 3);
        assertThat(log.appendAsFollower(FetchedRecords.of(damaged, 1), LogFixture.NOW)
                        .error())
                .isEqualTo(Errors.CORRUPT_MESSAGE);
        assertThat(log.logEndOffset()).isEqualTo(2);
        log.close();
    }

    @Test
    void anEmptyFollowerMayStartInTheMiddleOfTheLeadersBatch() throws IOException {
        PartitionLog log = fixture.openClean();
        log.truncateFullyAndStartAt(1, LogFixture.NOW);

        AppendResult result =
                log.appendAsFollower(FetchedRecords.of(LogFixture.placed(0, 1, "a", "b", "c"), 1), LogFixture.NOW);

        assertThat(result.error()).isEqualTo(Errors.NONE);
        assertThat(log.logStartOffset()).isEqualTo(1);
        assertThat(LogFixture.readAll(log, 1)).containsExactly("1=b", "2=c");
        log.close();
    }

    @Test
    void aBatchLargerThanASegmentIsRefused() throws IOException {
        fixture.with("internal.segment.bytes", 100);
        PartitionLog log = fixture.openClean();

        AppendResult result = fixture.append(log, 0, "x".repeat(100));

        assertThat(result.error()).isEqualTo(Errors.RECORD_LIST_TOO_LARGE);
        assertThat(log.logEndOffset()).isZero();
        log.close();
    }

    @Test
    void flushMessagesHoldsForAFollowerToo() throws IOException {
        PartitionLog log = fixture.with("flush.messages", 2).openClean();

        AppendResult first = log.appendAsFollower(FetchedRecords.of(LogFixture.placed(0, 1, "a"), 1), LogFixture.NOW);
        AppendResult second = log.appendAsFollower(FetchedRecords.of(LogFixture.placed(1, 1, "b"), 1), LogFixture.NOW);

        assertThat(first.mustFlush()).isFalse();
        assertThat(second.mustFlush()).isTrue();
        log.close();
    }

    @Test
    void flushMessagesAsksForAFlushBeforeTheAnswer() throws IOException {
        fixture.with("flush.messages", 3);
        PartitionLog log = fixture.openClean();

        assertThat(fixture.append(log, 0, "a", "b").mustFlush()).isFalse();
        assertThat(fixture.append(log, 0, "c").mustFlush()).isTrue();
        log.flush();
        assertThat(log.recoveryPoint()).isEqualTo(3);
        assertThat(fixture.append(log, 0, "d").mustFlush()).isFalse();
        log.close();
    }

    @Test
    void aCleanCloseLeavesFilesAsKafkaDoes() throws IOException {
        fixture.with("segment.index.bytes", 1024);
        PartitionLog log = fixture.openClean();
        fixture.append(log, 0, "a");
        assertThat(Files.size(directory.resolve("00000000000000000000.index"))).isEqualTo(1024);
        assertThat(Files.size(directory.resolve("00000000000000000000.timeindex")))
                .isEqualTo(1020);

        log.close();

        assertThat(Files.size(directory.resolve("00000000000000000000.index"))).isZero();
        assertThat(directory.resolve("00000000000000000000.timeindex"))
                .hasBinaryContent(ByteBuffer.allocate(12)
                        .putLong(LogFixture.NOW)
                        .putInt(0)
                        .array());
        assertThat(names()).contains("00000000000000000001.snapshot", "leader-epoch-checkpoint");
    }

    @Test
    void aRenamedDirectoryGoesOnBeingUsed() throws IOException {
        fixture = new LogFixture(directory.resolve("before"));
        PartitionLog log = fixture.openClean();
        fixture.append(log, 0, "a");
        Path after = directory.resolve("after");

        Files.move(fixture.directory, after);
        log.movedTo(after);
        fixture.append(log, 1, "b");
        log.roll(LogFixture.NOW);
        fixture.append(log, 1, "c");
        log.close();

        PartitionLog reopened = new LogFixture(after).openClean();
        assertThat(LogFixture.readAll(reopened, 0)).containsExactly("0=a", "1=b", "2=c");
        reopened.close();
    }

    private static LogSlice read(PartitionLog log, long offset, int maxBytes, boolean minOneBatch) throws IOException {
        LogSlice slice = log.read(offset, maxBytes, Long.MAX_VALUE, minOneBatch);
        assertThat(slice).isNotNull();
        return Objects.requireNonNull(slice);
    }

    private Stream<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList().stream();
        }
    }
}
