package io.highwater.itests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
    private final NodeProcess process;

    /** @param directory what belongs to the node goes below it */
    BrokerProcess(Path directory) {
        this.directory = directory;
        this.process = new NodeProcess(directory);
        List<Integer> ports = Ports.free(2);
        this.clientPort = ports.get(0);
        this.controllerPort = ports.get(1);
    }

    String address() {
        return "127.0.0.1:" + clientPort;
    }

    Path data() {
        return directory.resolve("data");
    }

    /** Starts Highwater and returns when it answers. */
    void startHighwater() {
        process.startHighwater(settings());
        awaitAnswer();
    }

    /** Starts the real Kafka and returns when it answers. */
    void startKafka() {
        process.startKafka(settings());
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
        process.stop();
    }

    /** SIGKILL. */
    void kill() {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
    }

    private void awaitAnswer() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address(), "reconnect.backoff.max.ms", "100"))) {
            admin.describeCluster().nodes().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("the broker does not answer:\n" + process.console(), e);
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
            highwater.http.port=-1
            """.formatted(clientPort, controllerPort, controllerPort, data());
        try {
            return Files.writeString(directory.resolve("server.properties"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
