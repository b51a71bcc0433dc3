package io.highwater.itests;

import static io.highwater.testkit.PartitionCondition.inSyncReplicas;
import static io.highwater.testkit.PartitionCondition.inSyncReplicasAtLeader;
import static io.highwater.testkit.PartitionCondition.leader;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.highwater.testkit.HeldRequests;
import io.highwater.testkit.HighwaterCluster;
import io.highwater.testkit.HighwaterTestCluster;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What a cluster says of itself at {@code /metrics}, asserted from scrapes alone. */
@HighwaterCluster(
        brokers = 5,
        config = {
            "highwater.http.port=0",
            "auto.leader.rebalance.enable=false",
            "auto.create.topics.enable=false",
            "replica.lag.time.max.ms=2000"
        })
class MetricsIT {
    private static final String PARTITION = "kafka_cluster_partition_";
    private static final String MANAGER = "kafka_server_replicamanager_";

    private final HighwaterTestCluster cluster;

    MetricsIT(HighwaterTestCluster cluster) {
        this.cluster = cluster;
    }

    @AfterEach
    void everybodyBack() {
        cluster.endFaults();
        cluster.startAll();
    }

    /** Broker 1 leads, and goes on leading: first broker 3 dies, then broker 2. Brokers 4 and 5 keep the quorum alive. */
    @Test
    void alarmsRiseAndFallWithTheInSyncReplicasUnderLoad() throws Exception {
        String topic = "alarms";
        cluster.createTopic(topic, List.of(List.of(1, 2, 3), List.of(1, 3, 2)), Map.of("min.insync.replicas", "2"));
        awaitAlarms(topic, 0, 0, 0);
        AtomicBoolean over = new AtomicBoolean();
        Background<Void> load = new Background<>(() -> writeTo(topic, over));

        cluster.broker(3).kill();
        awaitAlarms(topic, 1, 1, 0);

        cluster.broker(2).kill();
        awaitAlarms(topic, 1, 0, 1);

        cluster.broker(2).start();
        cluster.broker(3).start();
        awaitAlarms(topic, 0, 0, 0);
        assertThat(scrape(2).value(MANAGER + "underreplicatedpartitions")).isZero();
        over.set(true);
        load.result();
    }

    /** With acks=1, which the leader goes on taking. */
    private Void writeTo(String topic, AtomicBoolean over) throws Exception {
        try (KafkaProducer<String, String> producer =
                Clients.producer(cluster.bootstrapServers(), Map.of(ProducerConfig.ACKS_CONFIG, "1"))) {
            for (int i = 0; !over.get(); i++) {
                producer.send(new ProducerRecord<>(topic, i % 2, null, "a record"))
                        .get();
            }
        }
        return null;
    }

    @Test
    void aRecordIsWrittenOnceGivenToTwoFollowersAndStoredThreeTimes() {
        String topic = "amplified";
        cluster.createTopic(topic, List.of(List.of(1, 2, 3), List.of(2, 3, 1), List.of(3, 1, 2)), Map.of());
        List<Scrape> before = scrapes(1, 2, 3);
        int records = 300;

        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        cluster.bootstrapServers(),
                        ProducerConfig.ACKS_CONFIG,
                        "all"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                var unused = producer.send(new ProducerRecord<>(topic, i % 3, null, new byte[10_000]));
            }
        }

        List<Scrape> after = scrapes(1, 2, 3);
        double in = grown("kafka_server_brokertopicmetrics_bytesin_total", before, after);
        double out = grown("kafka_server_brokertopicmetrics_replicationbytesout_total", before, after);
        double replicated = grown("kafka_server_brokertopicmetrics_replicationbytesin_total", before, after);
        double disk = IntStream.range(0, 3)
                .mapToDouble(partition -> after.stream()
                        .mapToDouble(scrape -> scrape.of("kafka_log_log_size", topic, partition))
                        .sum())
                .sum();
        assertThat(in).isGreaterThan(records * 10_000);
        assertThat(out / in).isCloseTo(2, within(0.05));
        assertThat(replicated / in).isCloseTo(2, within(0.05));
        assertThat(disk / in).isCloseTo(3, within(0.05));
    }

    @Test
    void aGroupWithoutMembersKeepsItsLagInRecordsAndTime() {
        String topic = "lagging";
        cluster.createTopic(topic, List.of(List.of(1, 2, 3), List.of(2, 3, 1)), Map.of());
        try (KafkaProducer<String, String> producer = Clients.producer(cluster.bootstrapServers(), Map.of())) {
            for (int i = 0; i < 10; i++) {
                var unused = producer.send(new ProducerRecord<>(topic, i % 2, null, "a record"));
            }
        }
        commit("readers", Map.of(new TopicPartition(topic, 0), 2L, new TopicPartition(topic, 1), 9L));

        eventually().untilAsserted(() -> {
            assertThat(told(lagOf("kafka_consumergroup_lag", topic, 0))).containsExactly(3.0);
            assertThat(told(lagOf("kafka_consumergroup_lag", topic, 1))).containsExactly(0.0); // ahead of the end
            assertThat(told("kafka_consumergroup_lag_sum{consumergroup=\"readers\",topic=\"" + topic + "\"}"))
                    .containsExactly(3.0);
            assertThat(told("kafka_consumergroup_members{consumergroup=\"readers\"}"))
                    .containsExactly(0.0);
            assertThat(told(lagOf("highwater_consumergroup_lag_seconds", topic, 0)))
                    .singleElement()
                    .satisfies(seconds -> assertThat(seconds).isBetween(0.0, 60.0));
            assertThat(told(lagOf("highwater_consumergroup_lag_seconds", topic, 1)))
                    .containsExactly(0.0);
        });
    }

    /** As {@code kafka-consumer-groups} reckons: what can be read less what is committed. */
    @Test
    void aGroupsLagIsWhatAnAdministratorWouldReckon() throws Exception {
        String topic = "reckoned";
        TopicPartition partition = new TopicPartition(topic, 0);
        cluster.createTopic(topic, List.of(List.of(1, 2, 3)), Map.of());
        Clients.writeNumbered(cluster.bootstrapServers(), topic, 0, 5_000, Map.of());
        commit("readers", Map.of(partition, 0L));

        long end = cluster.admin()
                .listOffsets(Map.of(partition, OffsetSpec.latest()))
                .partitionResult(partition)
                .get()
                .offset();
        long committed = cluster.admin()
                .listConsumerGroupOffsets("readers")
                .partitionsToOffsetAndMetadata()
                .get()
                .get(partition)
                .offset();

        assertThat(end - committed).isEqualTo(5_000);
        eventually()
                .untilAsserted(() -> assertThat(told(lagOf("kafka_consumergroup_lag", topic, 0)))
                        .containsExactly(5_000.0));
    }

    @Test
    void oneFollowerThatLeavesAndComesBackIsOneChangeEachWay() {
        String topic = "cycled";
        cluster.createTopic(topic, List.of(List.of(1, 2, 3)), Map.of());
        cluster.await(topic, 0, inSyncReplicasAtLeader(1, 2, 3));
        Scrape before = scrape(1);

        try (HeldRequests fetches = cluster.broker(1)
                .requests(ApiKeys.FETCH)
                .fromBroker(3)
                .onTopic(topic)
                .hold()) {
            Clients.writeNumbered(
                    cluster.bootstrapServers(), topic, 0, 5, Map.of("acks", "1", "enable.idempotence", "false"));
            cluster.await(topic, 0, inSyncReplicasAtLeader(1, 2));
            assertThat(fetches.count()).isPositive();
        }
        cluster.await(topic, 0, inSyncReplicasAtLeader(1, 2, 3));

        // It is counted once the leader has let go of its lock, a moment after it can be seen.
        eventually().untilAsserted(() -> {
            Scrape after = scrape(1);
            for (String change : List.of("isrshrinks_total", "isrexpands_total")) {
                assertThat(after.value(MANAGER + change) - before.value(MANAGER + change))
                        .as(change)
                        .isEqualTo(1);
            }
        });
    }

    /** Brokers 1 to 3 keep the quorum alive. */
    @Test
    void aPartitionWithoutLeaderIsOfflineUntilSomebodyLeadsUncleanly() {
        String topic = "offline";
        String offline = "kafka_controller_kafkacontroller_offlinepartitionscount";
        String unclean = "kafka_controller_controllerstats_uncleanleaderelections_total";
        cluster.createTopic(topic, List.of(List.of(4, 5)), Map.of("unclean.leader.election.enable", "true"));
        double before = scrape(1).value(unclean);
        cluster.broker(5).stop();
        cluster.await(topic, 0, inSyncReplicas(4));
        Clients.writeNumbered(cluster.bootstrapServers(), topic, 0, 5, Map.of());
        eventually().untilAsserted(() -> assertThat(scrape(1).value(offline)).isZero());

        cluster.broker(4).kill();
        eventually().untilAsserted(() -> assertThat(scrape(1).value(offline)).isEqualTo(1));
        assertThat(scrape(1).value(unclean)).isEqualTo(before);

        cluster.broker(5).start();
        cluster.await(topic, 0, leader(5));
        eventually().untilAsserted(() -> {
            assertThat(scrape(1).value(offline)).isZero();
            assertThat(scrape(1).value(unclean)).isEqualTo(before + 1);
        });
    }

    /** Whoever coordinates the group has a replica of one of these partitions at most: it asks the leaders of the others. */
    @Test
    void aGroupsLagIsToldOfEveryPartitionWhereverItLives() {
        String topic = "scattered";
        cluster.createTopic(topic, List.of(List.of(1), List.of(2), List.of(3)), Map.of());
        try (KafkaProducer<String, String> producer = Clients.producer(cluster.bootstrapServers(), Map.of())) {
            for (int i = 0; i < 6; i++) {
                var unused = producer.send(new ProducerRecord<>(topic, i % 3, null, "a record"));
            }
        }
        Map<TopicPartition, Long> committed = new HashMap<>();
        for (int partition = 0; partition < 3; partition++) {
            committed.put(new TopicPartition(topic, partition), partition == 2 ? 9L : 0L); // the last: ahead of the end
        }
        commit("readers", committed);

        eventually().untilAsserted(() -> {
            for (int partition = 0; partition < 3; partition++) {
                assertThat(told(lagOf("kafka_consumergroup_lag", topic, partition)))
                        .containsExactly(partition == 2 ? 0.0 : 2.0);
                assertThat(told(lagOf("highwater_consumergroup_lag_seconds", topic, partition)))
                        .singleElement()
                        .satisfies(seconds -> assertThat(seconds).isBetween(0.0, 60.0));
            }
            assertThat(told("kafka_consumergroup_lag_sum{consumergroup=\"readers\",topic=\"" + topic + "\"}"))
                    .containsExactly(4.0);
        });
    }

    private void commit(String group, Map<TopicPartition, Long> offsets) {
        Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
        offsets.forEach((partition, offset) -> committed.put(partition, new OffsetAndMetadata(offset)));
        eventually().ignoreExceptions().until(() -> {
            cluster.admin().alterConsumerGroupOffsets(group, committed).all().get();
            return true;
        });
    }

    private static String lagOf(String family, String topic, int partition) {
        return family + "{consumergroup=\"readers\",topic=\"" + topic + "\",partition=\"" + partition + "\"}";
    }

    /** What brokers say of a series: one of them should. */
    private List<Double> told(String series) {
        return scrapes(1, 2, 3, 4, 5).stream()
                .map(scrape -> scrape.series().get(series))
                .filter(Objects::nonNull)
                .toList();
    }

    @Test
    void whatOneOfAllShouldTellIsToldOnce() {
        String topic = "told";
        cluster.createTopic(topic, List.of(List.of(1, 2, 3), List.of(2, 3, 1)), Map.of());
        String second = "{topic=\"" + topic + "\",partition=\"1\"}";

        eventually().untilAsserted(() -> {
            assertThat(told("kafka_brokers")).containsExactly(5.0);
            assertThat(told("kafka_topic_partitions{topic=\"" + topic + "\"}")).containsExactly(2.0);
            assertThat(told("kafka_topic_partition_leader" + second)).containsExactly(2.0);
            assertThat(told("kafka_topic_partition_replicas" + second)).containsExactly(3.0);
            assertThat(told("kafka_controller_kafkacontroller_activecontrollercount"))
                    .containsOnly(0.0, 1.0)
                    .containsOnlyOnce(1.0);
        });
    }

    /** Of what it complains that is Kafka's own choice of names, dashboards would complain if we changed it. */
    @Test
    void promtoolHasNothingToSayButWhatIsToBeSaidOfKafkasNames() throws Exception {
        Assumptions.assumeTrue(Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(each -> Files.isExecutable(Path.of(each, "promtool"))));
        String topic = "read";
        cluster.createTopic(topic, List.of(List.of(1, 2, 3)), Map.of());
        commit("promtool", Map.of(new TopicPartition(topic, 0), 0L));

        for (Scrape scrape : scrapes(1, 2, 3, 4, 5)) {
            assertThat(promtoolOn(scrape))
                    .filteredOn(line -> !line.contains("'snake_case' not 'camelCase'")
                            && !(line.startsWith("kafka_server_")
                                    && line.endsWith("should not contain abbreviated units")))
                    .isEmpty();
        }
    }

    private static List<String> promtoolOn(Scrape scrape) throws Exception {
        Path text = Files.writeString(Files.createTempFile("highwater", ".txt"), scrape.text());
        try {
            Process promtool = new ProcessBuilder("promtool", "check", "metrics")
                    .redirectInput(text.toFile())
                    .redirectErrorStream(true)
                    .start();
            return promtool.inputReader().lines().toList();
        } finally {
            Files.delete(text);
        }
    }

    /** {@code -Dhighwater.metrics.write=true} writes it anew. */
    @Test
    void everySeriesIsInTheDocuments() throws Exception {
        String topic = "documented";
        cluster.createTopic(topic, List.of(List.of(1, 2, 3)), Map.of());
        try (KafkaProducer<String, String> producer = Clients.producer(cluster.bootstrapServers(), Map.of())) {
            producer.send(new ProducerRecord<>(topic, "a record")).get();
        }
        commit("documented", Map.of(new TopicPartition(topic, 0), 0L));
        Path document = Path.of("../docs/metrics.md");
        String begin = "| --- | --- | --- | --- |\n";

        eventually().untilAsserted(() -> {
            String table = new MetricFamilies(scrapes(1, 2, 3, 4, 5)).table() + "\n";
            String text = Files.readString(document);
            int from = text.indexOf(begin) + begin.length();
            if (Boolean.getBoolean("highwater.metrics.write")) {
                Files.writeString(document, text.substring(0, from) + table);
            } else {
                assertThat(text.substring(from)).isEqualTo(table);
            }
        });
    }

    /** Five nodes share what the machine has. */
    private static ConditionFactory eventually() {
        return Awaitility.await().atMost(Duration.ofMinutes(1));
    }

    private static double grown(String series, List<Scrape> before, List<Scrape> after) {
        return sum(series, after) - sum(series, before);
    }

    private static double sum(String series, List<Scrape> scrapes) {
        return scrapes.stream().mapToDouble(scrape -> scrape.value(series)).sum();
    }

    private List<Scrape> scrapes(int... brokers) {
        return IntStream.of(brokers).mapToObj(this::scrape).toList();
    }

    private void awaitAlarms(String topic, int underReplicated, int atMin, int underMin) {
        eventually().untilAsserted(() -> {
            Scrape leader = scrape(1);
            for (int partition = 0; partition < 2; partition++) {
                assertThat(leader.of(PARTITION + "underreplicated", topic, partition))
                        .isEqualTo(underReplicated);
                assertThat(leader.of(PARTITION + "atminisr", topic, partition)).isEqualTo(atMin);
                assertThat(leader.of(PARTITION + "underminisr", topic, partition))
                        .isEqualTo(underMin);
            }
            assertThat(leader.value(MANAGER + "underreplicatedpartitions"))
                    .isEqualTo(leader.sum(PARTITION + "underreplicated"));
            assertThat(leader.value(MANAGER + "atminisrpartitioncount")).isEqualTo(leader.sum(PARTITION + "atminisr"));
            assertThat(leader.value(MANAGER + "underminisrpartitioncount"))
                    .isEqualTo(leader.sum(PARTITION + "underminisr"));
        });
    }

    private Scrape scrape(int broker) {
        return Scrape.of(cluster.broker(broker));
    }
}
