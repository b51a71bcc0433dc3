package io.highwater.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.awaitility.core.ConditionFactory;

/** Brokers of both kinds in one cluster, each a process of its own. Ids count from 1; broker 1 is the controller too. */
final class MixedCluster implements AutoCloseable {
    private static final String CLUSTER_ID = "SGlnaHdhdGVySXRlc3RzMQ";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    enum Kind {
        HIGHWATER,
        KAFKA
    }

    private final Path directory;
    private final List<Kind> kinds;
    private final List<NodeProcess> processes;
    private final List<Integer> ports;
    private final int controllerPort;
    private final Admin admin;

    /** Starts them, and returns when the controller has let all of them in. */
    MixedCluster(Path directory, List<Kind> kinds) throws IOException {
        this.directory = directory;
        this.kinds = kinds;
        this.processes = ids().mapToObj(id -> new NodeProcess(directory(id))).toList();
        List<Integer> free = Ports.free(kinds.size() + 1);
        this.ports = free.subList(0, kinds.size());
        this.controllerPort = free.get(kinds.size());
        for (int id : ids().toArray()) {
            Files.createDirectories(directory(id));
            Files.writeString(settings(id), settingsOf(id));
        }
        this.admin = Admin.create(Map.of("bootstrap.servers", servers(), "reconnect.backoff.max.ms", "100"));
        try {
            ids().filter(id -> id != 1).forEach(this::start);
            if (kinds.get(0) == Kind.KAFKA) {
                formatTheController();
            }
            start(1);
            eventually().ignoreExceptions().until(() -> brokersLetIn() == kinds.size());
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    String servers() {
        return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    String address(int id) {
        return "127.0.0.1:" + ports.get(id - 1);
    }

    Admin admin() {
        return admin;
    }

    NodeProcess process(int id) {
        return processes.get(id - 1);
    }

    /** Does not wait for it. */
    void start(int id) {
        if (kinds.get(id - 1) == Kind.KAFKA) {
            process(id).startKafka(settings(id));
        } else {
            process(id).startHighwater(settings(id));
        }
    }

    /** One partition; the first replica leads. */
    void createTopic(String name, List<Integer> replicas) throws ExecutionException, InterruptedException {
        admin.createTopics(List.of(new NewTopic(name, Map.of(0, replicas))))
                .all()
                .get();
    }

    TopicPartitionInfo described(String topic) {
        return Clients.described(admin, topic).get(0);
    }

    /** Moves the partition there, and has the first of them lead it. */
    void move(String topic, List<Integer> replicas) throws ExecutionException, InterruptedException {
        admin.alterPartitionReassignments(Map.of(partition(topic), Optional.of(new NewPartitionReassignment(replicas))))
                .all()
                .get();
        eventually()
                .until(() ->
                        admin.listPartitionReassignments().reassignments().get().isEmpty());
        awaitWhole(topic);
        preferredLeads(topic);
    }

    /** Has the first of its replicas lead. */
    void preferredLeads(String topic) throws ExecutionException, InterruptedException {
        int preferred = replicas(topic).get(0);
        if (leader(topic) != preferred) {
            admin.electLeaders(ElectionType.PREFERRED, Set.of(partition(topic)))
                    .all()
                    .get();
        }
        eventually().until(() -> leader(topic) == preferred);
    }

    int leader(String topic) {
        Node leader = described(topic).leader();
        return leader == null ? Node.noNode().id() : leader.id();
    }

    List<Integer> replicas(String topic) {
        return described(topic).replicas().stream().map(Node::id).toList();
    }

    void awaitWhole(String topic) {
        eventually()
                .until(() -> described(topic).isr().size()
                        == described(topic).replicas().size());
    }

    void awaitLeaderOtherThan(String topic, int id) {
        eventually().until(() -> leader(topic) >= 0 && leader(topic) != id);
    }

    /** All replicas are in sync, hold the same bytes, and know that they are committed. */
    void awaitAlike(String topic) {
        awaitWhole(topic);
        eventually().untilAsserted(() -> {
            long committed = committed(topic);
            byte[] first = log(replicas(topic).get(0), topic);
            for (int id : replicas(topic)) {
                assertThat(log(id, topic))
                        .as("bytes of %s at %d", topic, id)
                        .hasSize(first.length)
                        .isEqualTo(first);
                assertThat(highWatermark(id, topic))
                        .as("high watermark of %s at %d", topic, id)
                        .isEqualTo(committed);
            }
        });
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
        processes.forEach(NodeProcess::close);
    }

    static ConditionFactory eventually() {
        return await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50));
    }

    private long committed(String topic) throws ExecutionException, InterruptedException {
        return admin.listOffsets(Map.of(partition(topic), OffsetSpec.latest()))
                .partitionResult(partition(topic))
                .get()
                .offset();
    }

    private byte[] log(int id, String topic) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Stream<Path> files = Files.list(data(id).resolve(topic + "-0"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".log"))
                    .sorted()
                    .toList()) {
                bytes.writeBytes(Files.readAllBytes(file));
            }
        }
        return bytes.toByteArray();
    }

    /** As it would be after a restart; -1 if it would not. */
    private long highWatermark(int id, String topic) throws IOException {
        return Files.readAllLines(data(id).resolve("replication-offset-checkpoint")).stream()
                .filter(line -> line.startsWith(topic + " 0 "))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElse(-1);
    }

    private int brokersLetIn() throws ExecutionException, InterruptedException {
        return admin.describeCluster().nodes().get().size();
    }

    private void formatTheController() {
        KafkaReference.tool(
                "kafka.tools.StorageTool",
                "format",
                "--standalone",
                "--cluster-id",
                CLUSTER_ID,
                "--config",
                settings(1).toString());
    }

    private static TopicPartition partition(String topic) {
        return new TopicPartition(topic, 0);
    }

    private IntStream ids() {
        return IntStream.rangeClosed(1, kinds.size());
    }

    private Path directory(int id) {
        return directory.resolve("node-" + id);
    }

    private Path data(int id) {
        return directory(id).resolve("data");
    }

    private Path settings(int id) {
        return directory(id).resolve("server.properties");
    }

    /** Kafka wants to be formatted; for a broker that is one small file. */
    private String settingsOf(int id) throws IOException {
        boolean controller = id == 1;
        List<String> lines = new ArrayList<>(List.of(
                "node.id=" + id,
                "process.roles=" + (controller ? "broker,controller" : "broker"),
                "listeners=PLAINTEXT://" + address(id)
                        + (controller ? ",CONTROLLER://127.0.0.1:" + controllerPort : ""),
                "controller.listener.names=CONTROLLER",
                "controller.quorum.bootstrap.servers=127.0.0.1:" + controllerPort,
                "log.dirs=" + data(id),
                "min.insync.replicas=2",
                "offsets.topic.num.partitions=1",
                "offsets.topic.replication.factor=3",
                "group.initial.rebalance.delay.ms=0",
                "group.consumer.min.heartbeat.interval.ms=200",
                "group.consumer.heartbeat.interval.ms=200",
                "auto.leader.rebalance.enable=false",
                "broker.heartbeat.interval.ms=500",
                "broker.session.timeout.ms=2000",
                "replica.high.watermark.checkpoint.interval.ms=200"));
        if (kinds.get(id - 1) == Kind.HIGHWATER) {
            lines.add("highwater.cluster.id=" + CLUSTER_ID);
            lines.add("highwater.http.port=-1");
        } else if (!controller) {
            Files.createDirectories(data(id));
            Files.writeString(
                    data(id).resolve("meta.properties"),
                    "version=1\ncluster.id=" + CLUSTER_ID + "\nnode.id=" + id + "\ndirectory.id=" + Uuid.randomUuid()
                            + "\n");
        }
        return String.join("\n", lines) + "\n";
    }
}
