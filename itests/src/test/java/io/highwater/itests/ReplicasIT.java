package io.highwater.itests;

import static io.highwater.testkit.PartitionCondition.highWatermark;
import static io.highwater.testkit.PartitionCondition.inSyncReplicas;
import static io.highwater.testkit.PartitionCondition.whole;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highwater.testkit.HeldRequests;
import io.highwater.testkit.HighwaterCluster;
import io.highwater.testkit.HighwaterTestCluster;
import io.highwater.testkit.PartitionCondition;
import io.highwater.testkit.PartitionState;
import io.highwater.testkit.TestBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Where replicas are, what their files hold, and how they come by it. */
@HighwaterCluster(
        brokers = 3,
        config = {
            "auto.leader.rebalance.enable=false",
            "replica.high.watermark.checkpoint.interval.ms=100",
            "log.retention.check.interval.ms=100"
        })
class ReplicasIT {
    private static final int MEBIBYTE = 1 << 20;
    private static final String CHECKPOINT = "replication-offset-checkpoint";

    private final HighwaterTestCluster cluster;
    private String topic = "";

    ReplicasIT(HighwaterTestCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void ownName(TestInfo test) {
        topic = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void everybodyBack() {
        cluster.endFaults();
        cluster.startAll();
    }

    @Test
    void eachReplicaHasItsOwnBrokerAndTheFirstLeads() {
        cluster.createTopic(topic, 12, 3);

        int replicas = 0;
        for (int partition = 0; partition < 12; partition++) {
            PartitionState state = cluster.await(topic, partition, whole());
            assertThat(state.assignedReplicas()).containsExactlyInAnyOrder(1, 2, 3);
            assertThat(state.leader()).isEqualTo(state.assignedReplicas().get(0));
            replicas += state.replicas().size();
        }
        assertThat(replicas).isEqualTo(36);
    }

    @Test
    void onlyTheLeaderTakesRecords() throws Exception {
        create(Map.of(), 1, 2);

        assertThat(List.of(produceTo(1), produceTo(2))).containsExactly(Errors.NONE, Errors.NOT_LEADER_OR_FOLLOWER);

        assertThat(cluster.await(topic, 0, whole()).logEndOffset(2)).isEqualTo(1);
    }

    @Test
    void aBatchLargerThanAFetchIsCopiedWhole() {
        create(Map.of("max.message.bytes", Integer.toString(5 * MEBIBYTE)), 1, 2, 3);

        Clients.write(
                cluster.bootstrapServers(),
                List.of(new ProducerRecord<>(topic, "x".repeat(4 * MEBIBYTE))),
                Map.of("max.request.size", Integer.toString(5 * MEBIBYTE), "acks", "all"));

        cluster.await(topic, 0, whole().and(highWatermark(1)));
        assertThat(log(2)).hasSameBinaryContentAs(log(1));
    }

    @Test
    void whatIsWrittenStaysAsItIsAndOnlyTheNewestSegmentGrows() throws IOException {
        create(Map.of("segment.bytes", Integer.toString(MEBIBYTE)), 1, 2);
        write(3, 500_000);
        cluster.await(topic, 0, whole());
        byte[] before = Files.readAllBytes(log(1));
        List<Path> sealed = segments(1).subList(0, segments(1).size() - 1);

        write(4, 500_000);
        PartitionState state = cluster.await(topic, 0, whole());

        assertThat(sealed).hasSize(1);
        assertThat(Files.readAllBytes(log(1))).isEqualTo(before);
        assertThat(segments(1)).hasSizeGreaterThanOrEqualTo(3).containsAll(sealed);
        assertThat(segments(1)).allSatisfy(segment -> {
            assertThat(Long.parseLong(segment.getFileName().toString().replace(".log", "")))
                    .isBetween(0L, state.logEndOffset(1) - 1);
            for (String suffix : List.of(".index", ".timeindex")) {
                assertThat(Path.of(segment.toString().replace(".log", suffix))).exists();
            }
        });
    }

    @Test
    void oldSegmentsGoFromAllReplicas() {
        create(Map.of("segment.bytes", Integer.toString(MEBIBYTE), "retention.ms", "3600000"), 1, 2);
        long twoHoursAgo = System.currentTimeMillis() - 7_200_000;
        String value = "x".repeat(500_000);

        Clients.write(
                cluster.bootstrapServers(),
                Collections.nCopies(4, new ProducerRecord<>(topic, 0, twoHoursAgo, "k", value)),
                Map.of());

        PartitionCondition gone = PartitionCondition.of(
                "all gone",
                state -> state.replicas().values().stream().allMatch(replica -> replica.logStartOffset() == 4));
        cluster.await(topic, 0, gone.and(whole()));
        write(1, 10);
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).containsExactly("x".repeat(10));
    }

    @Test
    void aLeaderIsFollowedByAsManyFetchersAsAreWanted() throws Exception {
        try {
            set(ConfigResource.Type.BROKER, "", Map.of("num.replica.fetchers", "4"));
            await().until(() -> config(ConfigResource.Type.BROKER, "2", "num.replica.fetchers")
                    .equals("4"));
            try (HeldRequests fetches = cluster.broker(1)
                    .requests(ApiKeys.FETCH)
                    .fromBroker(2)
                    .onTopic(topic)
                    .hold()) {
                cluster.createTopic(topic, Collections.nCopies(8, List.of(1, 2)), Map.of());

                fetches.await(4);
            }
        } finally {
            set(ConfigResource.Type.BROKER, "", Map.of("num.replica.fetchers", ""));
        }
        for (int partition = 0; partition < 8; partition++) {
            cluster.await(topic, partition, whole());
        }
    }

    @Test
    void aReplicaThatMovesIsHeldBackByItsRateAndThoseInSyncAreNot() throws Exception {
        create(
                Map.of(
                        "min.insync.replicas",
                        "2",
                        "leader.replication.throttled.replicas",
                        "*",
                        "follower.replication.throttled.replicas",
                        "*"),
                1,
                2);
        write(6, 500_000);
        set(ConfigResource.Type.BROKER, "1", Map.of("leader.replication.throttled.rate", "1"));
        await().until(() -> config(ConfigResource.Type.BROKER, "1", "leader.replication.throttled.rate")
                .equals("1"));
        try {
            cluster.admin()
                    .alterPartitionReassignments(Map.of(
                            new TopicPartition(topic, 0), Optional.of(new NewPartitionReassignment(List.of(1, 2, 3)))))
                    .all()
                    .get();
            cluster.await(topic, 0, PartitionCondition.of("a beginning", state -> state.logEndOffset(3) > 0));

            write(2, 500_000);

            PartitionState held = cluster.state(topic, 0);
            assertThat(held.highWatermark()).isEqualTo(8);
            assertThat(held.logEndOffset(3)).isLessThan(6);
            assertThat(held.inSyncReplicas()).containsExactly(1, 2);
        } finally {
            set(ConfigResource.Type.BROKER, "1", Map.of("leader.replication.throttled.rate", ""));
        }
        cluster.await(topic, 0, inSyncReplicas(1, 2, 3).and(whole()));
    }

    @Test
    void nothingCommittedIsLostWithAllBrokersKilledAndTheirCheckpointsGone() throws IOException {
        create(Map.of("min.insync.replicas", "2"), 1, 2, 3);
        List<String> written = Clients.writeNumbered(cluster.bootstrapServers(), topic, 0, 10, Map.of());
        cluster.await(topic, 0, whole());
        for (TestBroker broker : cluster.brokers()) {
            await().untilAsserted(() ->
                    assertThat(broker.directory().resolve(CHECKPOINT)).content().contains(topic + " 0 10\n"));
        }

        for (TestBroker broker : cluster.brokers()) {
            broker.kill();
            Files.delete(broker.directory().resolve(CHECKPOINT));
        }
        cluster.startAll();

        cluster.await(topic, 0, whole().and(highWatermark(10)));
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).isEqualTo(written);
    }

    private void create(Map<String, String> configs, Integer... replicas) {
        cluster.createTopic(topic, List.of(List.of(replicas)), configs);
    }

    /** So many batches of one record each. */
    private void write(int count, int valueBytes) {
        String value = "x".repeat(valueBytes);
        Clients.write(
                cluster.bootstrapServers(),
                Collections.nCopies(count, new ProducerRecord<String, String>(topic, value)),
                Map.of("batch.size", "1"));
    }

    private Errors produceTo(int broker) throws ExecutionException, InterruptedException {
        Uuid id = cluster.admin()
                .describeTopics(List.of(topic))
                .allTopicNames()
                .get()
                .get(topic)
                .topicId();
        ProduceRequestData request = new ProduceRequestData().setAcks((short) 1).setTimeoutMs(1_000);
        request.topicData()
                .add(new ProduceRequestData.TopicProduceData()
                        .setTopicId(id)
                        .setPartitionData(List.of(new ProduceRequestData.PartitionProduceData()
                                .setIndex(0)
                                .setRecords(MemoryRecords.withRecords(
                                        Compression.NONE, new SimpleRecord("v".getBytes(UTF_8)))))));
        return Errors.forCode(Raw.ask(
                        cluster.broker(broker),
                        ProduceRequest.builder(request).build(ApiKeys.PRODUCE.latestVersion()),
                        ProduceResponse.class)
                .data()
                .responses()
                .iterator()
                .next()
                .partitionResponses()
                .get(0)
                .errorCode());
    }

    /** An empty value takes the setting away. */
    private void set(ConfigResource.Type type, String name, Map<String, String> settings)
            throws ExecutionException, InterruptedException {
        List<AlterConfigOp> changes = settings.entrySet().stream()
                .map(one -> new AlterConfigOp(
                        new ConfigEntry(one.getKey(), one.getValue()),
                        one.getValue().isEmpty() ? AlterConfigOp.OpType.DELETE : AlterConfigOp.OpType.SET))
                .toList();
        cluster.admin()
                .incrementalAlterConfigs(Map.of(new ConfigResource(type, name), changes))
                .all()
                .get();
    }

    private String config(ConfigResource.Type type, String name, String setting)
            throws ExecutionException, InterruptedException {
        ConfigResource resource = new ConfigResource(type, name);
        ConfigEntry entry = cluster.admin()
                .describeConfigs(List.of(resource))
                .all()
                .get()
                .get(resource)
                .get(setting);
        return entry == null ? "" : entry.value();
    }

    private List<Path> segments(int broker) throws IOException {
        try (Stream<Path> files = Files.list(cluster.broker(broker).directory().resolve(topic + "-0"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
        }
    }

    private Path log(int broker) {
        return cluster.broker(broker).directory().resolve(topic + "-0").resolve("00000000000000000000.log");
    }
}
