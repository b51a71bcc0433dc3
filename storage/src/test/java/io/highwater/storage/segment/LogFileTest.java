package io.highwater.storage.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFileTest {
    private static final int LARGEST = 64 << 20;

    @TempDir
    Path directory;

    @Test
    void theFileIsNeverLongerThanItsDataThoughItsMappingIs() throws IOException {
        LogFile file = LogFile.open(path(), LARGEST, true);
        file.append(bytes("first"));

        MappedRegion region = file.mapped(5);
        file.append(bytes("second"));

        assertThat(region.sizeBytes()).isGreaterThan(1 << 20);
        assertThat(Files.size(path())).isEqualTo(11);
        assertThat(file.mapped(11)).isSameAs(region);
        assertThat(text(region, 0, 11)).isEqualTo("firstsecond");
        file.close();
    }

    @Test
    void aSealedFileIsMappedAsLongAsItIs() throws IOException {
        LogFile file = LogFile.open(path(), LARGEST, true);
        file.append(bytes("all of it"));
        file.expectAtMost(file.end());

        assertThat(file.mapped(9).sizeBytes()).isEqualTo(9);
        file.close();
    }

    @Test
    void afterAFullDiskNothingHalfWrittenRemainsAndAppendsGoOnOnceThereIsRoom() throws IOException {
        FullDisk disk = new FullDisk(
                FileChannel.open(path(), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                8);
        LogFile file = LogFile.over(path(), disk, LARGEST);
        file.append(bytes("first"));

        assertThatThrownBy(() -> file.append(bytes("second"))).hasMessage("No space left on device");

        assertThat(path()).hasContent("first");
        assertThat(file.end()).isEqualTo(5);
        disk.roomBytes = 100;
        file.append(bytes("third"));
        assertThat(path()).hasContent("firstthird");
        file.close();
    }

    @Test
    void whatIsTruncatedUnderAReaderStaysMappedUntilItIsTrimmed() throws IOException {
        LogFile file = LogFile.open(path(), LARGEST, true);
        file.append(bytes("0123456789".repeat(2000)));
        MappedRegion region = file.mapped(20_000);

        file.truncate(10, true);

        assertThat(text(region, 0, 10)).isEqualTo("0123456789");
        assertThat(region.bytes().getLong(10)).isEqualTo(LogFile.TRUNCATION_MARK);
        assertThat(region.bytes().get(19_999)).isZero();
        assertThat(file.hasZeros()).isTrue();
        file.trim();
        assertThat(path()).hasContent("0123456789");
        assertThat(file.hasZeros()).isFalse();
        file.close();
    }

    @Test
    void appendsOverTheZerosOfATruncationMoveItsMark() throws IOException {
        LogFile file = LogFile.open(path(), LARGEST, true);
        file.append(bytes("0123456789".repeat(10)));
        file.truncate(10, true);

        file.append(bytes("abc"));

        assertThat(file.mapped(100).bytes().getLong(13)).isEqualTo(LogFile.TRUNCATION_MARK);
        assertThat(Files.size(path())).isEqualTo(100);
        file.append(bytes("d".repeat(100)));
        assertThat(file.hasZeros()).isFalse();
        assertThat(path()).hasContent("0123456789abc" + "d".repeat(100));
        file.close();
    }

    private Path path() {
        return directory.resolve("00000000000000000000.log");
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(MappedRegion region, int position, int size) {
        return StandardCharsets.US_ASCII.decode(region.view(position, size)).toString();
    }
}
