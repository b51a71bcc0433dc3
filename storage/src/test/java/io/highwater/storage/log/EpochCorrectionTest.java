package io.highwater.storage.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.storage.epoch.LeaderEpochHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A follower that names an epoch that no leader knows would never be let in again. */
class EpochCorrectionTest {
    private static final long NOW = LogFixture.NOW;

    @TempDir
    Path directory;

    private LogFixture fixture = new LogFixture(Path.of("unset"));

    @BeforeEach
    void aLogOfThreeReigns() throws IOException {
        fixture = new LogFixture(directory);
        PartitionLog log = fixture.openClean();
        fixture.append(log, 1, "a");
        fixture.append(log, 1, "b");
        log.roll(NOW);
        fixture.append(log, 4, "c");
        log.roll(NOW);
        fixture.append(log, 5, "d");
        fixture.append(log, 5, "e");
        log.close();
        assertThat(epochs()).isEqualTo("0\n3\n1 0\n4 2\n5 3\n");
    }

    @Test
    void anEpochThatNeverWasIsForgotten() throws IOException {
        write("0\n4\n1 0\n4 2\n5 3\n99 4\n");

        reopen(true);

        assertThat(epochs()).isEqualTo("0\n3\n1 0\n4 2\n5 3\n");
    }

    @Test
    void thoseThatItHadTakenThePlaceOfAreReadFromTheBatches() throws IOException {
        write("0\n2\n1 0\n99 1\n");

        reopen(true);

        assertThat(epochs()).isEqualTo("0\n3\n1 0\n4 2\n5 3\n");
    }

    @Test
    void allOfThemIfNoneCanBeTrusted() throws IOException {
        write("0\n1\n99 0\n");

        reopen(true);

        assertThat(epochs()).isEqualTo("0\n3\n1 0\n4 2\n5 3\n");
    }

    @Test
    void afterACrashToo() throws IOException {
        write("0\n2\n1 0\n99 1\n");

        reopen(false);

        assertThat(epochs()).isEqualTo("0\n3\n1 0\n4 2\n5 3\n");
    }

    @Test
    void anEpochThatBeginsBehindTheEndIsForgotten() throws IOException {
        write("0\n4\n1 0\n4 2\n5 3\n6 5\n");

        reopen(true);

        assertThat(epochs()).isEqualTo("0\n3\n1 0\n4 2\n5 3\n");
    }

    private void reopen(boolean clean) throws IOException {
        fixture.open(0, 0, clean).close();
    }

    private void write(String text) throws IOException {
        Files.writeString(directory.resolve(LeaderEpochHistory.FILE_NAME), text);
    }

    private String epochs() throws IOException {
        return Files.readString(directory.resolve(LeaderEpochHistory.FILE_NAME));
    }
}
