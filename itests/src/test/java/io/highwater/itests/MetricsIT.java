package io.highwater.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.highwater.testkit.HighwaterCluster;
import io.highwater.testkit.HighwaterTestCluster;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
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
    void alarmsRiseAndFallWithTheInSyncReplicas() {
        String topic = "alarms";
        cluster.createTopic(topic, List.of(List.of(1, 2, 3), List.of(1, 3, 2)), Map.of("min.insync.replicas", "2"));
        awaitAlarms(topic, 0, 0, 0);

        cluster.broker(3).kill();
        awaitAlarms(topic, 1, 1, 0);

        cluster.broker(2).kill();
        awaitAlarms(topic, 1, 0, 1);

        cluster.broker(2).start();
        cluster.broker(3).start();
        awaitAlarms(topic, 0, 0, 0);
        assertThat(scrape(2).value(MANAGER + "underreplicatedpartitions")).isZero();
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
        Awaitility.await().untilAsserted(() -> {
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
