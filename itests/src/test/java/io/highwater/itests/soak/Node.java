package io.highwater.itests.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One combined node in a process of its own. For one thread. */
public final class Node implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 90;

    private final int id;
    private final Path directory;
    private @Nullable Process process;

    /** @param settings its whole server.properties */
    Node(int id, Path directory, String settings) {
        this.id = id;
        this.directory = directory;
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve("server.properties"), settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its node id. */
    public int id() {
        return id;
    }

    /** Its log directory. */
    public Path data() {
        return directory.resolve("data");
    }

    /** Returns at once. */
    public void start() {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.highwater.broker.boot.HighwaterMain",
                "start",
                "-c",
                directory.resolve("server.properties").toString());
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            directory.resolve("console.log").toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Changes a setting for its next start. */
    public void set(String name, String value) {
        try {
            Files.writeString(
                    directory.resolve("server.properties"),
                    "%n%s=%s%n".formatted(name, value),
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its process id. */
    public long pid() {
        return running().pid();
    }

    /** SIGKILL; returns when it is gone. */
    public void kill() {
        Process running = running();
        running.destroyForcibly();
        awaitEnd(running);
    }

    /** SIGTERM; returns when it is gone. */
    public void stop() {
        Process running = running();
        running.destroy();
        awaitEnd(running);
    }

    /** SIGSTOP. */
    public void pause() {
        signal("STOP");
    }

    /** SIGCONT. */
    public void resume() {
        signal("CONT");
    }

    @Override
    public void close() {
        Process running = process;
        if (running != null && running.isAlive()) {
            running.destroyForcibly();
            awaitEnd(running);
        }
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder(
                            "kill", "-" + name, Long.toString(running().pid()))
                    .start();
            if (!kill.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new AssertionError("could not send SIG" + name + " to node " + id);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private Process running() {
        Process running = process;
        if (running == null || !running.isAlive()) {
            throw new AssertionError("node " + id + " is not running:\n" + console());
        }
        return running;
    }

    private void awaitEnd(Process running) {
        try {
            if (!running.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("node " + id + " does not end:\n" + console());
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** What it has printed. */
    public String console() {
        try {
            return Files.readString(directory.resolve("console.log"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
