package io.highwater.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogCopyTest {
    private static final String FIRST = "00000000000000000000.log";
    private static final String SECOND = "00000000000000000010.log";
    private static final String THIRD = "00000000000000000020.log";

    @TempDir
    Path base;

    private Path from;
    private Path to;
    private LogCopy copy;

    @BeforeEach
    void aLogOfThreeSegments() throws IOException {
        from = Files.createDirectory(base.resolve("from"));
        to = Files.createDirectory(base.resolve("to"));
        copy = new LogCopy(from, to);
        for (String name : new String[] {FIRST, SECOND, THIRD, "00000000000000000000.index", "partition.metadata"}) {
            Files.writeString(from.resolve(name), name);
        }
    }

    @Test
    void fullSegmentsAreCopiedFirst() throws IOException {
        copy.copyFull(() -> false);

        assertThat(contents(to)).containsOnlyKeys(FIRST, SECOND);
        assertThat(copy.copiedTo()).isEqualTo(20);
        assertThat(copy.copiedBytes()).isEqualTo(FIRST.length() + SECOND.length());
    }

    @Test
    void inTheEndTheCopyIsTheSame() throws IOException {
        copy.copyFull(() -> false);
        Files.delete(from.resolve(FIRST));
        Files.writeString(from.resolve(THIRD), "written meanwhile");
        Files.writeString(from.resolve("leader-epoch-checkpoint"), "0");

        copy.complete();

        assertThat(contents(to)).isEqualTo(contents(from));
    }

    @Test
    void aSegmentThatChangedAfterItWasCopiedIsCopiedAgain() throws IOException {
        copy.copyFull(() -> false);
        Files.writeString(from.resolve(SECOND), SECOND.replace('1', '2'));
        Files.setLastModifiedTime(from.resolve(SECOND), FileTime.fromMillis(1));

        copy.complete();

        assertThat(contents(to)).isEqualTo(contents(from));
    }

    @Test
    void oneThatDidNotChangeIsNot() throws IOException {
        copy.copyFull(() -> false);
        FileTime time = Files.getLastModifiedTime(to.resolve(FIRST));
        Files.writeString(to.resolve(FIRST), "Z".repeat(FIRST.length()));
        Files.setLastModifiedTime(to.resolve(FIRST), time);

        copy.complete();

        assertThat(to.resolve(FIRST)).hasContent("Z".repeat(FIRST.length()));
    }

    @Test
    void copyingEndsWhenItIsToldTo() throws IOException {
        copy.copyFull(() -> true);

        assertThat(contents(to)).isEmpty();
    }

    private static Map<String, String> contents(Path directory) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                contents.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return contents;
    }
}
