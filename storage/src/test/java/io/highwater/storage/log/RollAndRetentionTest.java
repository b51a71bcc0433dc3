package io.highwater.storage.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RollAndRetentionTest {
    private static final long NOW = LogFixture.NOW;

    @TempDir
    Path directory;

    private LogFixture fixture = new LogFixture(Path.of("unset"));

    @BeforeEach
    void newFixture() {
        fixture = new LogFixture(directory).with("retention.ms", -1);
    }

    @Test
    void aSegmentIsRolledWhenTheNextBatchWouldOutgrowIt() throws IOException {
        PartitionLog log = fixture.with("internal.segment.bytes", 2 * 69).openClean();

        appendAll(log, "a", "b", "c");

        assertThat(log.segmentCount()).isEqualTo(2);
        assertThat(log.activeSegmentBaseOffset()).isEqualTo(2);
        log.close();
    }

    @Test
    void aSegmentIsRolledByTheAgeOfItsFirstRecordNotByTheClock() throws IOException {
        PartitionLog log = fixture.with("segment.ms", 1000).openClean();

        fixture.append(log, 0, NOW - 50_000, "a");
        fixture.append(log, 0, NOW - 49_000, "b");
        assertThat(log.segmentCount()).isEqualTo(1);
        fixture.append(log, 0, NOW - 48_999, "c");

        assertThat(log.activeSegmentBaseOffset()).isEqualTo(2);
        log.close();
    }

    @Test
    void aSegmentIsRolledWhenItsIndexIsFull() throws IOException {
        PartitionLog log = fixture.with("segment.index.bytes", 16)
                .with("index.interval.bytes", 0)
                .openClean();

        appendAll(log, "a", "b", "c", "d");

        assertThat(log.segmentCount()).isGreaterThan(1);
        assertThat(LogFixture.readAll(log, 0)).containsExactly("0=a", "1=b", "2=c", "3=d");
        log.close();
    }

    @Test
    void anIndexTooSmallForAnyEntryDoesNotKeepRecordsOut() throws IOException {
        PartitionLog log = fixture.with("segment.index.bytes", 4)
                .with("index.interval.bytes", 0)
                .openClean();

        appendAll(log, "a", "b", "c");

        assertThat(LogFixture.readAll(log, 0)).containsExactly("0=a", "1=b", "2=c");
        log.close();
    }

    @Test
    void aSegmentIsRolledWhenAnOffsetIsTooFarFromItsBase() throws IOException {
        PartitionLog log = fixture.openClean();
        log.appendAsFollower(FetchedRecords.of(LogFixture.placed(0, 0, "a"), 0), NOW);

        log.appendAsFollower(FetchedRecords.of(LogFixture.placed(1L << 31, 0, "b"), 0), NOW);

        assertThat(log.activeSegmentBaseOffset()).isEqualTo(1L << 31);
        assertThat(LogFixture.readAll(log, 0)).containsExactly("0=a", (1L << 31) + "=b");
        log.close();
    }

    @Test
    void newSettingsCountFromTheNextAppendOn() throws IOException {
        PartitionLog log = fixture.openClean();
        appendAll(log, "a", "b");

        log.updateSettings(LogSettings.of(fixture.with("internal.segment.bytes", 69).config));
        appendAll(log, "c");

        assertThat(log.segmentCount()).isEqualTo(2);
        log.close();
    }

    @Test
    void sizeRetentionNeverLeavesLessThanTheLimit() throws IOException {
        PartitionLog log = threeSegments();
        log.updateSettings(LogSettings.of(fixture.with("retention.bytes", 2 * 69).config));

        assertThat(log.retain(NOW, 3)).isEqualTo(1);

        assertThat(log.sizeBytes()).isEqualTo(2 * 69);
        assertThat(log.logStartOffset()).isEqualTo(1);
        assertThat(log.retain(NOW, 3)).isZero();
        log.close();
    }

    @Test
    void timeRetentionGoesByTheNewestRecordAndMayEmptyTheLog() throws IOException {
        PartitionLog log = threeSegments();
        log.updateSettings(LogSettings.of(fixture.with("retention.ms", 1000).config));

        assertThat(log.retain(NOW + 1000, 3)).isZero();
        assertThat(log.retain(NOW + 1001, 3)).isEqualTo(3);

        assertThat(log.logStartOffset()).isEqualTo(3);
        assertThat(log.logEndOffset()).isEqualTo(3);
        assertThat(fixture.append(log, 1, "d").firstOffset()).isEqualTo(3);
        log.close();
    }

    @Test
    void whatIsNotCommittedIsNeverRetired() throws IOException {
        PartitionLog log = threeSegments();
        log.updateSettings(LogSettings.of(fixture.with("retention.ms", 0).config));

        assertThat(log.retain(NOW + 1001, 2)).isEqualTo(2);
        log.close();
    }

    @Test
    void withoutTheDeletePolicyOnlyWhatIsBeforeTheStartGoes() throws IOException {
        PartitionLog log = threeSegments();
        log.updateSettings(LogSettings.of(fixture.with("cleanup.policy", "compact")
                .with("retention.ms", 0)
                .with("retention.bytes", 0)
                .config));

        log.raiseLogStartOffset(2);

        assertThat(log.retain(NOW + 1001, 3)).isEqualTo(2);
        assertThat(log.logStartOffset()).isEqualTo(2);
        log.close();
    }

    @Test
    void droppedFilesWaitUnderAnotherNameAndThenGoWithTheirSnapshots() throws IOException {
        PartitionLog log = threeSegments();
        log.raiseLogStartOffset(2);

        log.retain(NOW, 3);

        assertThat(names()).contains("00000000000000000001.log.deleted", "00000000000000000001.snapshot.deleted");
        fixture.runErrands();
        assertThat(names()).noneMatch(name -> name.endsWith(".deleted") || name.startsWith("00000000000000000001."));
        log.close();
    }

    @Test
    void theStartSurvivesInItsCheckpointOnlyAndLookupsRespectIt() throws IOException {
        PartitionLog log = fixture.openClean();
        fixture.append(log, 0, NOW, "a", "b", "c");
        assertThat(log.raiseLogStartOffset(1)).isTrue();
        assertThat(log.raiseLogStartOffset(1)).isFalse();
        log.close();

        PartitionLog reopened = fixture.open(1, 0, true);

        assertThat(reopened.logStartOffset()).isEqualTo(1);
        assertThat(LogFixture.readAll(reopened, 1)).containsExactly("1=b", "2=c");
        assertThat(reopened.earliest().offset()).isEqualTo(1);
        assertThat(reopened.offsetForTimestamp(0)).matches(found -> found.offset() == 1);
        reopened.close();
    }

    @Test
    void timestampsAreFoundAcrossSegmentsAndTheLargestOfAll() throws IOException {
        PartitionLog log = fixture.openClean();
        fixture.append(log, 0, NOW, "a");
        fixture.append(log, 1, NOW + 500, "b", "c");
        log.roll(NOW);
        fixture.append(log, 2, NOW + 200, "d");

        assertThat(log.offsetForTimestamp(NOW + 1)).matches(found -> found.offset() == 1 && found.leaderEpoch() == 1);
        assertThat(log.offsetForTimestamp(NOW + 501)).isNull();
        assertThat(log.offsetOfMaxTimestamp())
                .matches(found -> found.offset() == 1 && found.timestampMs() == NOW + 500);
        assertThat(log.latest().offset()).isEqualTo(4);
        log.close();
    }

    private PartitionLog threeSegments() throws IOException {
        PartitionLog log = fixture.with("internal.segment.bytes", 69).openClean();
        appendAll(log, "a", "b", "c");
        assertThat(log.segmentCount()).isEqualTo(3);
        return log;
    }

    private void appendAll(PartitionLog log, String... values) {
        for (String value : values) {
            assertThat(fixture.append(log, 0, value).error()).isEqualTo(Errors.NONE);
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
