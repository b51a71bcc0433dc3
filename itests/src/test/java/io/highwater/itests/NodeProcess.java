package io.highwater.itests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Highwater or the real Kafka as a process of its own, which can be killed and brought to a standstill. */
final class NodeProcess implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 90;

    private final Path console;
    private Process process;

    /** @param directory what the process prints is added to a file in it */
    NodeProcess(Path directory) {
        this.console = directory.resolve("console.log");
    }

    void startHighwater(Path settings) {
        run(
                System.getProperty("java.class.path"),
                "io.highwater.broker.boot.HighwaterMain",
                "start",
                "-c",
                settings.toString());
    }

    void startKafka(Path settings) {
        run(KafkaReference.classPath(), "kafka.Kafka", settings.toString());
    }

    /** An orderly shutdown. */
    void stop() {
        process.destroy();
        awaitEnd();
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** SIGSTOP: it is there, and does nothing. */
    void pause() {
        signal("STOP");
    }

    /** SIGCONT. */
    void resume() {
        signal("CONT");
    }

    boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** What it has printed. */
    String console() {
        try {
            return Files.readString(console);
        } catch (IOException e) {
            return Objects.toString(e);
        }
    }

    @Override
    public void close() {
        if (isRunning()) {
            kill();
        }
    }

    private void run(String classPath, String... mainAndArguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath));
        command.addAll(List.of(mainAndArguments));
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(console.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void signal(String name) {
        try {
            int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new AssertionError("kill -" + name + " ended with " + status);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the node does not end:\n" + console());
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
