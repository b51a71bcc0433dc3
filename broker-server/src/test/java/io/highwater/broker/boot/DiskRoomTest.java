package io.highwater.broker.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskRoomTest {
    @TempDir
    private Path directory;

    @Test
    void aFullDiskIsNamedAlsoForADirectoryThatIsNotThereYet() {
        Path missing = directory.resolve("a").resolve("b");

        assertThat(DiskRoom.finding(missing, Long.MAX_VALUE)).contains(missing.toString(), "full");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void roomEnoughIsNoFinding() {
        assertThat(DiskRoom.finding(directory, DiskRoom.LEAST_BYTES)).isNull();
    }
}
