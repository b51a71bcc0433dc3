package io.highwater.storage.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highwater.storage.segment.OverflowedSegmentException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Very old releases of Kafka could write segments whose offsets are too far from their base. */
class SegmentSplitTest {
    private static final long FAR = 3_000_000_000L;
    private static final long FARTHER = 6_000_000_000L;
    private static final String LOG = "00000000000000000000.log";

    @TempDir
    Path directory;

    private LogFixture fixture = new LogFixture(Path.of("unset"));

    @BeforeEach
    void aSegmentThatSpansTooMuch() throws IOException {
        fixture = new LogFixture(directory);
        write(
                LogFixture.placed(0, 1, "a", "b"),
                LogFixture.placed(2, 1, "c"),
                LogFixture.placed(FAR, 2, "d"),
                LogFixture.placed(FAR + 1, 2, "e"),
                LogFixture.placed(FARTHER, 2, "f"));
    }

    @Test
    void isSplitWhenItIsRead() throws IOException {
        PartitionLog log = fixture.openAfterCrash(0);

        assertAllIsThere(log);
        assertThat(directory.resolve("00000000003000000000.log")).exists();
        log.close();
        PartitionLog reopened = fixture.openClean();
        assertAllIsThere(reopened);
        reopened.close();
    }

    @Test
    void isSplitAfterACleanStopIfItsIndexIsNotThere() throws IOException {
        PartitionLog log = fixture.openClean();

        assertAllIsThere(log);
        log.close();
    }

    @Test
    void aSplitThatWasInterruptedBeginsAnewOrGoesOn() throws IOException {
        Path whole = directory.resolve("whole");
        Files.copy(directory.resolve(LOG), whole);
        fixture.openAfterCrash(0).close();
        Path[] parts = {
            directory.resolve(LOG),
            directory.resolve("00000000003000000000.log"),
            directory.resolve("00000000006000000000.log")
        };
        for (int swapped = 0; swapped <= parts.length; swapped++) {
            for (int i = 0; i < parts.length; i++) {
                String suffix = parts.length - i <= swapped ? ".swap" : ".cleaned";
                Files.move(parts[i], parts[i].resolveSibling(parts[i].getFileName() + suffix));
            }
            Files.copy(whole, directory.resolve(LOG), StandardCopyOption.REPLACE_EXISTING);

            PartitionLog log = fixture.openAfterCrash(0);

            assertAllIsThere(log);
            log.close();
        }
    }

    @Test
    void aSingleOffsetThatIsFarAwayIsDamage() throws IOException {
        write(LogFixture.placed(0, 1, "a"), LogFixture.placed(FAR, 1, "b"), LogFixture.placed(2, 1, "c"));
        long size = Files.size(directory.resolve(LOG));

        assertThatThrownBy(() -> fixture.openAfterCrash(0)).isInstanceOf(OverflowedSegmentException.class);

        assertThat(Files.size(directory.resolve(LOG))).isEqualTo(size);
    }

    private void assertAllIsThere(PartitionLog log) {
        assertThat(LogFixture.readAll(log, 0))
                .containsExactly("0=a", "1=b", "2=c", FAR + "=d", FAR + 1 + "=e", FARTHER + "=f");
        assertThat(log.segmentCount()).isEqualTo(3);
        assertThat(log.endOffsetForEpoch(1).endOffset()).isEqualTo(FAR);
        assertThat(log.logEndOffset()).isEqualTo(FARTHER + 1);
    }

    private void write(MemoryRecords... batches) throws IOException {
        try (FileChannel channel = FileChannel.open(
                directory.resolve(LOG),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
            for (MemoryRecords batch : batches) {
                channel.write(batch.buffer().duplicate());
            }
        }
    }
}
