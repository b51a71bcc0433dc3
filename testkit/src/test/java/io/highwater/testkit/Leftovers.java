package io.highwater.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What a process holds: its threads and its open files, sockets among them. */
final class Leftovers {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final String CLOSED_MEANWHILE = "";

    private Leftovers() {}

    /** Names of all live threads, but for the one that waits for the others to end. */
    static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> !name.startsWith("awaitility"))
                .sorted()
                .toList();
    }

    /** What the open descriptors lead to; nothing where the system does not tell. Jars are the class loader's. */
    static List<String> openFiles() {
        if (!Files.isDirectory(DESCRIPTORS)) {
            return List.of();
        }
        List<String> targets = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
                String target = target(descriptor);
                if (!target.equals(CLOSED_MEANWHILE) && !target.endsWith(".jar")) {
                    // The number of a socket or a pipe says nothing.
                    targets.add(target.replaceFirst("^(socket|pipe):.*", "$1"));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        targets.sort(null);
        return targets;
    }

    /** Waits a little for what ends by itself, then fails with what is there and was not before. */
    static void awaitNoneBut(List<String> before, Supplier<List<String>> now) {
        await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
            List<String> added = new ArrayList<>(now.get());
            before.forEach(added::remove);
            assertThat(added).isEmpty();
        });
    }

    private static String target(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException e) {
            return CLOSED_MEANWHILE;
        }
    }
}
