package io.highwater.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeadroomTest {
    private static final long MIB = 1 << 20;

    @TempDir
    Path directory;

    private long freeBytes = 1_000 * MIB;
    private Headroom headroom;
    private Path file;

    @BeforeEach
    void create() {
        headroom = new Headroom(directory, () -> freeBytes);
        file = directory.resolve(Headroom.FILE_NAME);
    }

    @Test
    void holdsBackRoomAndLetsRecordsThrough() throws IOException {
        headroom.look();

        assertThat(Files.size(file)).isEqualTo(Headroom.SIZE_BYTES);
        assertThat(headroom.isGivenUp()).isFalse();
    }

    @Test
    void holdsBackHalfOfWhatIsLittle() throws IOException {
        freeBytes = 3 * MIB;

        headroom.look();

        assertThat(Files.size(file)).isEqualTo(3 * MIB / 2);
        assertThat(headroom.isGivenUp()).isFalse();
    }

    @Test
    void aWriterThatMetTheEndOfTheDiskIsTheLast() throws IOException {
        headroom.look();

        headroom.giveUp();

        assertThat(file).doesNotExist();
        assertThat(headroom.isGivenUp()).isTrue();
    }

    @Test
    void aDiskThatOthersFillIsFullBeforeItsEnd() throws IOException {
        headroom.look();
        freeBytes = Headroom.LEAST_FREE_BYTES - 1;

        headroom.look();

        assertThat(file).doesNotExist();
        assertThat(headroom.isGivenUp()).isTrue();
    }

    @Test
    void takesRecordsAgainOnceThereIsMoreRoomThanItGaveUp() throws IOException {
        headroom.look();
        headroom.giveUp();
        freeBytes = Headroom.SIZE_BYTES + Headroom.ROOM_AGAIN_BYTES - 1;
        headroom.look();
        assertThat(headroom.isGivenUp()).isTrue();
        freeBytes++;

        headroom.look();

        assertThat(headroom.isGivenUp()).isFalse();
        assertThat(file).exists();
    }

    @Test
    void leavesNothingBehind() throws IOException {
        headroom.look();

        headroom.end();

        assertThat(directory).isEmptyDirectory();
    }
}
