package io.highwater.storage.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a log does when single files cannot be written or read. A directory in a file's place stands for the trouble. */
class DiskTroubleTest {
    private static final long NOW = LogFixture.NOW;

    @TempDir
    Path directory;

    private LogFixture fixture = new LogFixture(Path.of("unset"));

    @BeforeEach
    void newFixture() {
        fixture = new LogFixture(directory);
    }

    @Test
    void retentionDropsWhatItCanWhenThereIsNoRoomForANewSegment() throws IOException {
        PartitionLog log = fixture.with("retention.ms", 1_000).openClean();
        fixture.append(log, 0, NOW - 50_000, "a");
        log.roll(NOW);
        fixture.append(log, 0, NOW - 40_000, "b");
        obstruct("00000000000000000002.log");

        assertThatThrownBy(() -> log.retain(NOW, 2)).isInstanceOf(IOException.class);

        assertThat(log.logStartOffset()).isEqualTo(1);
        assertThat(log.segmentCount()).isEqualTo(1);
        assertThat(LogFixture.readAll(log, 1)).containsExactly("1=b");
        log.abandon();
    }

    @Test
    void aTruncationNeedsNoRoom() throws IOException {
        PartitionLog log = fixture.openClean();
        fixture.append(log, 1, "a");
        fixture.append(log, 2, "b");
        obstruct("leader-epoch-checkpoint.tmp");
        obstruct("00000000000000000001.snapshot");

        log.truncateTo(1, NOW);

        assertThat(fixture.append(log, 3, "c").firstOffset()).isEqualTo(1);
        assertThat(LogFixture.readAll(log, 0)).containsExactly("0=a", "1=c");
        assertThat(log.endOffsetForEpoch(2).endOffset()).isEqualTo(1);
        log.abandon();
    }

    @Test
    void aTruncationThatIsCutShortLeavesNoHole() throws IOException {
        PartitionLog log = fixture.openClean();
        for (String value : List.of("a", "b", "c", "d")) {
            fixture.append(log, 0, value);
            log.roll(NOW);
        }
        obstruct("00000000000000000002.log.deleted");
        assertThatThrownBy(() -> log.truncateTo(0, NOW)).isInstanceOf(IOException.class);
        log.abandon();
        clear("00000000000000000002.log.deleted");

        PartitionLog recovered = fixture.openAfterCrash(0);

        assertThat(LogFixture.readAll(recovered, 0)).startsWith("0=a", "1=b");
        assertThat(LogFixture.readAll(recovered, 0)).hasSize((int) recovered.logEndOffset());
        recovered.close();
    }

    @Test
    void afterAFailedFlushNoLaterOneIsBelieved() throws IOException {
        PartitionLog log = fixture.openClean();
        fixture.append(log, 0, "a");
        Path index = directory.resolve("00000000000000000000.index");
        Files.move(index, directory.resolve("elsewhere"));
        obstruct(index.getFileName().toString());
        assertThatThrownBy(log::flush).isInstanceOf(IOException.class);
        clear(index.getFileName().toString());
        Files.move(directory.resolve("elsewhere"), index);

        assertThatThrownBy(log::flush).isInstanceOf(IOException.class).hasMessageContaining("earlier flush");
        assertThat(log.recoveryPoint()).isZero();
        assertThatThrownBy(log::close).as("not closed in order").isInstanceOf(IOException.class);
        PartitionLog recovered = fixture.openAfterCrash(0);
        assertThat(LogFixture.readAll(recovered, 0)).containsExactly("0=a");
        recovered.close();
    }

    @Test
    void aLogThatCannotBeOpenedKeepsNoFileOpen() throws IOException {
        assumeTrue(Files.exists(Path.of("/proc/self/fd")));
        PartitionLog log = fixture.openClean();
        fixture.append(log, 1, "a");
        log.abandon();
        obstruct("leader-epoch-checkpoint.tmp");

        assertThatThrownBy(() -> fixture.openAfterCrash(0)).isInstanceOf(IOException.class);

        assertThat(openFiles()).isEmpty();
    }

    @Test
    void aRottenBatchIsNoReasonToGiveUpWhatLiesBehindIt() throws IOException {
        PartitionLog log = fixture.openClean();
        fixture.append(log, 0, NOW, "a");
        fixture.append(log, 0, NOW + 1, "b");
        fixture.append(log, 0, NOW + 2, "c");
        log.close();
        try (RandomAccessFile file = new RandomAccessFile(
                directory.resolve("00000000000000000000.log").toFile(), "rw")) {
            file.seek(69 + 8);
            file.writeInt(0); // the length of the second batch
        }
        PartitionLog reopened = fixture.openClean();

        assertThatThrownBy(() -> reopened.read(1, 1_000, 3, true)).isInstanceOf(CorruptRecordException.class);
        assertThatThrownBy(() -> reopened.offsetForTimestamp(NOW + 1)).isInstanceOf(CorruptRecordException.class);
        assertThat(LogFixture.readAll(reopened, 2)).containsExactly("2=c");
        reopened.close();
    }

    private void obstruct(String name) throws IOException {
        Files.createDirectories(directory.resolve(name).resolve("not empty"));
    }

    private void clear(String name) throws IOException {
        Files.delete(directory.resolve(name).resolve("not empty"));
        Files.delete(directory.resolve(name));
    }

    private List<String> openFiles() throws IOException {
        List<String> open = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            descriptors.forEach(descriptor -> {
                try {
                    String file = Files.readSymbolicLink(descriptor).toString();
                    if (file.startsWith(directory.toRealPath().toString())) {
                        open.add(file);
                    }
                } catch (NoSuchFileException e) {
                    return; // the one that listed them
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return open;
    }
}
