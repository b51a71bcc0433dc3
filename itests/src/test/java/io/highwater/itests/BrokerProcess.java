package io.highwater.itests;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** One combined node in a process of its own, so that it can be killed; Highwater or the real Kafka, on the same settings. */
final class BrokerProcess implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 90;

    private final Path directory;
    private final int clientPort;
    private final int controllerPort;
    private Process process;

    /** @param directory what belongs to the node goes below it */
    BrokerProcess(Path directory) {
        this.directory = directory;
        this.clientPort = freePort();
        this.controllerPort = freePort();
    }

    String address() {
        return "127.0.0.1:" + clientPort;
    }

    Path data() {
        return directory.resolve("data");
    }

    /** Starts Highwater and returns when it answers. */
    void startHighwater() {
        run(
                System.getProperty("java.class.path"),
                "io.highwater.broker.boot.HighwaterMain",
                "start",
                "-c",
                settings().toString());
        awaitAnswer();
    }

    /** Starts the real Kafka and returns when it answers. */
    void startKafka() {
        run(KafkaReference.classPath(), "kafka.Kafka", settings().toString());
        awaitAnswer();
    }

    /** Formats the data directory with Kafka's own tool. */
    void formatWithKafka() {
        KafkaReference.tool(
                "kafka.tools.StorageTool",
                "format",
                "--standalone",
                "--cluster-id",
                "SGlnaHdhdGVySXRlc3RzMQ",
                "--config",
                settings().toString());
    }

    void createTopic(String name, Map<String, String> configs) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address()))) {
            admin.createTopics(List.of(new NewTopic(name, 1, (short) 1).configs(configs)))
                    .all()
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("could not create " + name, e);
        }
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

    @Override
    public void close() {
        if (process != null && process.isAlive()) {
            kill();
        }
    }

    private void run(String classPath, String... mainAndArguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-cp",
                classPath));
        command.addAll(List.of(mainAndArguments));
        File log = directory.resolve("console.log").toFile();
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitAnswer() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address(), "reconnect.backoff.max.ms", "100"))) {
            admin.describeCluster().nodes().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("the broker does not answer:\n" + console(), e);
        }
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the broker does not end:\n" + console());
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private String console() {
        try {
            return Files.readString(directory.resolve("console.log"));
        } catch (IOException e) {
            return Objects.toString(e);
        }
    }

    /** A server.properties that both know. */
    private Path settings() {
        String text = """
            process.roles=broker,controller
            node.id=1
            listeners=PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d
            controller.listener.names=CONTROLLER
            controller.quorum.bootstrap.servers=127.0.0.1:%d
            log.dirs=%s
            offsets.topic.replication.factor=1
            offsets.topic.num.partitions=4
            transaction.state.log.replication.factor=1
            transaction.state.log.min.isr=1
            share.coordinator.state.topic.replication.factor=1
            share.coordinator.state.topic.min.isr=1
            group.initial.rebalance.delay.ms=0
            """.formatted(clientPort, controllerPort, controllerPort, data());
        try {
            return Files.writeString(directory.resolve("server.properties"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
