package io.highwater.broker.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highwater.broker.config.BrokerConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What keeps a broker from starting is said in one sentence, and changes nothing on disk. */
class BrokerStartTest {
    @TempDir
    private Path directory;

    private final Map<String, String> settings = new HashMap<>(Map.of(
            "listeners",
            "PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:0",
            "highwater.http.port",
            "-1",
            "highwater.cluster.id",
            "AAAAAAAAAAAAAAAAAAAAAA"));

    @Test
    void aTakenPortIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            settings.put("listeners", "PLAINTEXT://127.0.0.1:" + taken.getLocalPort() + ",CONTROLLER://127.0.0.1:0");

            refused("PLAINTEXT://127.0.0.1:" + taken.getLocalPort());
        }

        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aTakenHttpPortIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            settings.put("highwater.http.port", Integer.toString(taken.getLocalPort()));

            refused("highwater.http.port", Integer.toString(taken.getLocalPort()));
        }

        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aDirectoryOfAnotherClusterIsRefused() throws IOException {
        startAndStop();
        List<String> before = content();
        settings.put("highwater.cluster.id", "BBBBBBBBBBBBBBBBBBBBBA");

        refused("AAAAAAAAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBBBBBBBA");

        assertThat(content()).isEqualTo(before);
    }

    @Test
    void aDirectoryOfAnotherNodeIsRefused() throws IOException {
        startAndStop();
        List<String> before = content();
        settings.put("node.id", "2");

        refused("node 1", "node 2");

        assertThat(content()).isEqualTo(before);
    }

    @Test
    void aDirectoryInUseIsRefused() {
        Broker first = start();
        try {
            refused("locked");
        } finally {
            first.stop();
        }
    }

    @Test
    void aFileInPlaceOfTheDirectoryIsRefused() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        settings.put("log.dirs", file.toString());

        refused(file.toString(), "not a directory");
    }

    @Test
    void aNodeThatIsAskedToStopWhileItStartsLeavesNothingRunning() throws IOException {
        StopRequest stop = new StopRequest();
        stop.bySignal();

        assertThatThrownBy(() -> Broker.start(config(), "a test", stop))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("asked to stop");

        startAndStop();
    }

    private void refused(String... words) {
        assertThatThrownBy(this::start)
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContainingAll(words)
                .message()
                .hasLineCount(1);
    }

    private void startAndStop() {
        start().stop();
    }

    private Broker start() {
        return Broker.start(config(), "a test", new StopRequest());
    }

    private BrokerConfig config() {
        Map<String, String> all = new HashMap<>(settings);
        all.putIfAbsent("log.dirs", directory.resolve("logs").toString());
        try {
            return BrokerConfig.load(null, all);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Every file with its size and the time of its last change. */
    private List<String> content() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            List<String> all = new ArrayList<>();
            for (Path file : (Iterable<Path>) files.sorted()::iterator) {
                if (Files.isRegularFile(file)) {
                    all.add(file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file));
                }
            }
            return all;
        }
    }
}
