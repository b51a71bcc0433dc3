package io.highwater.storage.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a crash leaves is opened as far as it is whole. */
class CrashTest {
    private static final String LOG = "00000000000000000000.log";

    @TempDir
    Path temporary;

    @Test
    void aFileCutAtAnyByteKeepsExactlyItsWholeBatches() throws IOException {
        Path original = write("a", "bb", "ccc");
        long size = Files.size(original.resolve(LOG));
        List<Long> ends = List.of(69L, 139L, 210L);
        assertThat(size).isEqualTo(210);

        for (int cut = 0; cut <= size; cut++) {
            Path copy = copy(original, "cut-" + cut);
            truncate(copy.resolve(LOG), cut);
            int at = cut;
            long whole = ends.stream().filter(end -> end <= at).count();

            PartitionLog log = new LogFixture(copy).openAfterCrash(0);

            assertThat(log.logEndOffset()).as("cut at %d", cut).isEqualTo(whole);
            assertThat(LogFixture.readAll(log, 0))
                    .as("cut at %d", cut)
                    .isEqualTo(Stream.of("0=a", "1=bb", "2=ccc").limit(whole).toList());
            log.close();
            assertThat(Files.size(copy.resolve(LOG))).isEqualTo(whole == 0 ? 0 : ends.get((int) whole - 1));
        }
    }

    @Test
    void aFileWithAnyByteTurnedKeepsTheBatchesBeforeIt() throws IOException {
        Path original = write("a", "bb", "ccc");

        for (int position = 139; position < 210; position++) {
            boolean outsideOfChecksum = position - 139 < 8 || (position - 139 >= 12 && position - 139 < 16);
            if (outsideOfChecksum) {
                continue; // base offset and leader epoch, which leaders change in place
            }
            Path copy = copy(original, "turned-" + position);
            turn(copy.resolve(LOG), position);

            PartitionLog log = new LogFixture(copy).openAfterCrash(0);

            assertThat(LogFixture.readAll(log, 0)).as("byte %d", position).containsExactly("0=a", "1=bb");
            log.close();
        }
    }

    @Test
    void zerosBehindTheLastBatchEndTheLog() throws IOException {
        Path directory = write("a", "bb");
        try (FileChannel channel = FileChannel.open(directory.resolve(LOG), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(1), 5_000_000);
        }

        PartitionLog log = new LogFixture(directory).openAfterCrash(0);

        assertThat(LogFixture.readAll(log, 0)).containsExactly("0=a", "1=bb");
        assertThat(Files.size(directory.resolve(LOG))).isEqualTo(139);
        log.close();
    }

    @Test
    void aLogThatWasDamagedAfterACleanStopIsReadAgain() throws IOException {
        Path directory = write("a", "bb");
        try (FileChannel channel = FileChannel.open(directory.resolve(LOG), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(1), 5_000_000);
        }

        PartitionLog log = new LogFixture(directory).openClean();

        assertThat(LogFixture.readAll(log, 0)).containsExactly("0=a", "1=bb");
        assertThat(Files.size(directory.resolve(LOG))).isEqualTo(139);
        log.close();
    }

    @Test
    void damageInASegmentDropsTheSegmentsBehindIt() throws IOException {
        LogFixture fixture = new LogFixture(temporary.resolve("p"));
        PartitionLog log = fixture.openClean();
        fixture.append(log, 0, "a");
        fixture.append(log, 0, "b");
        log.roll(LogFixture.NOW);
        fixture.append(log, 0, "c");
        log.abandon();
        turn(fixture.directory.resolve(LOG), 69 + 65);

        PartitionLog recovered = fixture.openAfterCrash(0);

        assertThat(LogFixture.readAll(recovered, 0)).containsExactly("0=a");
        assertThat(recovered.segmentCount()).isEqualTo(1);
        assertThat(fixture.append(recovered, 1, "d").firstOffset()).isEqualTo(1);
        recovered.close();
    }

    @Test
    void segmentsBelowTheRecoveryPointAreNotReadAgain() throws IOException {
        LogFixture fixture = new LogFixture(temporary.resolve("p"));
        PartitionLog log = fixture.openClean();
        fixture.append(log, 0, "a");
        log.roll(LogFixture.NOW);
        fixture.append(log, 0, "b");
        log.flush();
        long recoveryPoint = log.recoveryPoint();
        log.abandon();
        turn(fixture.directory.resolve(LOG), 65);

        PartitionLog recovered = fixture.openAfterCrash(recoveryPoint);

        assertThat(recoveryPoint).isEqualTo(2);
        assertThat(recovered.logEndOffset()).isEqualTo(2);
        recovered.close();
    }

    @Test
    void missingIndexesAreBuiltAgain() throws IOException {
        LogFixture fixture = new LogFixture(temporary.resolve("p"));
        PartitionLog log = fixture.openClean();
        for (int i = 0; i < 20; i++) {
            fixture.append(log, 0, LogFixture.NOW + i, "value " + i);
        }
        log.close();
        byte[] index = Files.readAllBytes(fixture.directory.resolve("00000000000000000000.index"));
        byte[] timeIndex = Files.readAllBytes(fixture.directory.resolve("00000000000000000000.timeindex"));
        Files.delete(fixture.directory.resolve("00000000000000000000.index"));
        Files.delete(fixture.directory.resolve("00000000000000000000.timeindex"));

        PartitionLog reopened = fixture.openClean();
        reopened.close();

        assertThat(index).hasSizeGreaterThan(8);
        assertThat(fixture.directory.resolve("00000000000000000000.index")).hasBinaryContent(index);
        assertThat(fixture.directory.resolve("00000000000000000000.timeindex")).hasBinaryContent(timeIndex);
    }

    @Test
    void aStartBehindTheEndBeginsAnEmptyLogThere() throws IOException {
        Path directory = write("a", "bb");

        PartitionLog log = new LogFixture(directory).open(100, 0, false);

        assertThat(log.logStartOffset()).isEqualTo(100);
        assertThat(log.logEndOffset()).isEqualTo(100);
        assertThat(LogFixture.readAll(log, 100)).isEmpty();
        log.close();
    }

    @Test
    void leftoversOfDeletionCompactionAndSplitAreSettled() throws IOException {
        LogFixture fixture = new LogFixture(temporary.resolve("p"));
        PartitionLog log = fixture.openClean();
        fixture.append(log, 0, "a");
        log.roll(LogFixture.NOW);
        fixture.append(log, 0, "b");
        log.roll(LogFixture.NOW);
        fixture.append(log, 0, "c");
        log.close();
        Path directory = fixture.directory;
        Path compacted = directory.resolve("00000000000000000000.log.swap"); // takes the place of the first two
        Files.copy(directory.resolve(LOG), compacted);
        Files.write(
                compacted,
                Files.readAllBytes(directory.resolve("00000000000000000001.log")),
                StandardOpenOption.APPEND);
        Files.createFile(directory.resolve("00000000000000000000.index.swap"));
        Files.writeString(directory.resolve("00000000000000000007.log.swap"), "unfinished");
        Files.writeString(directory.resolve("00000000000000000005.log.cleaned"), "unfinished");
        Files.writeString(directory.resolve("00000000000000000004.log.deleted"), "gone");
        Files.createFile(directory.resolve("00000000000000000009.timeindex"));

        PartitionLog reopened = fixture.openAfterCrash(0);

        assertThat(LogFixture.readAll(reopened, 0)).containsExactly("0=a", "1=b", "2=c");
        assertThat(reopened.segmentCount()).isEqualTo(2);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .filteredOn(name -> name.matches(".*(swap|cleaned|deleted|00000[459]\\..*)"))
                    .isEmpty();
        }
        reopened.close();
    }

    private Path write(String... values) throws IOException {
        LogFixture fixture = new LogFixture(temporary.resolve("original"));
        PartitionLog log = fixture.openClean();
        for (String value : values) {
            fixture.append(log, 0, value);
        }
        log.abandon();
        return fixture.directory;
    }

    private Path copy(Path directory, String name) throws IOException {
        Path copy = Files.createDirectory(temporary.resolve(name));
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        return copy;
    }

    private static void truncate(Path file, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        }
    }

    private static void turn(Path file, int position) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[position] = (byte) (bytes[position] ^ 0x55);
        Files.write(file, bytes);
    }
}
