package io.highwater.storage.dir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OffsetCheckpointTest {
    @TempDir
    Path directory;

    private Path file;
    private OffsetCheckpoint checkpoint;

    @BeforeEach
    void open() {
        file = directory.resolve("recovery-point-offset-checkpoint");
        checkpoint = new OffsetCheckpoint(file);
    }

    @Test
    void theFilesHaveKafkasNames() throws Exception {
        try (LogDirectory opened =
                LogDirectory.openAll(List.of(directory), 1, null).get(0)) {
            opened.recoveryPoints().write(Map.of());
            opened.highWatermarks().write(Map.of());
            opened.logStartOffsets().write(Map.of());
            opened.cleanerOffsets().write(Map.of());
        }

        assertThat(directory.toFile().list())
                .containsExactlyInAnyOrder(
                        "recovery-point-offset-checkpoint",
                        "replication-offset-checkpoint",
                        "log-start-offset-checkpoint",
                        "cleaner-offset-checkpoint");
    }

    @Test
    void theTextIsKafkas() throws IOException {
        checkpoint.write(Map.of(new TopicPartition("plain", 0), 3L));

        assertThat(Files.readString(file)).isEqualTo("0\n1\nplain 0 3\n");
    }

    @Test
    void aCheckpointOfKafkaIsRead() throws IOException {
        Files.writeString(file, "0\n3\ngone 0 1\n__consumer_offsets 49 18\nplain 0 16\n");

        assertThat(checkpoint.read())
                .isEqualTo(Map.of(
                        new TopicPartition("gone", 0), 1L,
                        new TopicPartition("__consumer_offsets", 49), 18L,
                        new TopicPartition("plain", 0), 16L));
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        Random random = new Random(7);
        Map<TopicPartition, Long> offsets = new HashMap<>();
        for (int i = 0; i < 2000; i++) {
            offsets.put(
                    new TopicPartition("t" + random.nextInt(50), random.nextInt(1000)),
                    random.nextLong(Long.MAX_VALUE));
        }

        checkpoint.write(Map.of(new TopicPartition("older", 0), 1L));
        checkpoint.write(offsets);

        assertThat(checkpoint.read()).isEqualTo(offsets);
        assertThat(directory.resolve(file.getFileName() + ".tmp")).doesNotExist();
    }

    @Test
    void withoutAFileThereAreNoOffsets() throws IOException {
        assertThat(checkpoint.read()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0\n", "0\n0\n"})
    void anEmptyFileHasNoOffsets(String content) throws IOException {
        Files.writeString(file, content);

        assertThat(checkpoint.read()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1\n1\nplain 0 3\n",
                "0\n2\nplain 0 3\n",
                "0\n0\nplain 0 3\n",
                "0\n2147483647\nplain 0 3\n",
                "0\none\nplain 0 3\n",
                "0\n1\nplain 0\n",
                "0\n1\nplain 0 3 4\n",
                "0\n1\nplain x 3\n",
                "0\n1\nplain 0 x\n",
                "0\n1\nplain 0 99999999999999999999\n",
                "garbage",
            })
    void aDamagedFileIsAFailureThatNamesItOrIsTakenAsEmptyOnDemand(String content) throws IOException {
        Files.writeString(file, content);

        assertThatThrownBy(checkpoint::read).isInstanceOf(IOException.class).hasMessageContaining(file.toString());
        assertThat(checkpoint.readOrEmpty()).isEmpty();
    }

    @Test
    void bytesThatAreNoTextAreAFailureToo() throws IOException {
        Files.write(file, new byte[] {'0', '\n', '1', '\n', (byte) 0xff, (byte) 0xfe, '\n'});

        assertThatThrownBy(checkpoint::read).isInstanceOf(IOException.class).hasMessageContaining(file.toString());
    }

    @Test
    void aFileCutAnywhereIsWholeOrAFailure() throws IOException {
        Map<TopicPartition, Long> offsets =
                Map.of(new TopicPartition("plain", 0), 3L, new TopicPartition("other", 1), 4L);
        checkpoint.write(offsets);
        byte[] whole = Files.readAllBytes(file);
        int header = "0\n2".length();
        for (int length = header; length < whole.length - 1; length++) {
            Files.write(file, Arrays.copyOf(whole, length));

            assertThatThrownBy(checkpoint::read).as("cut at %d", length).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aFailedWriteLeavesTheOldFile() throws IOException {
        checkpoint.write(Map.of(new TopicPartition("plain", 0), 3L));
        Path inTheWay = directory.resolve(file.getFileName() + ".tmp");
        Files.createDirectories(inTheWay.resolve("not-empty"));

        assertThatThrownBy(() -> checkpoint.write(Map.of())).isInstanceOf(IOException.class);

        assertThat(checkpoint.read()).isEqualTo(Map.of(new TopicPartition("plain", 0), 3L));
    }
}
