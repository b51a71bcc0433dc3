package io.highwater.itests;

import static io.highwater.testkit.PartitionCondition.highWatermark;
import static io.highwater.testkit.PartitionCondition.inSyncReplicasAtLeader;
import static io.highwater.testkit.PartitionCondition.logEndOffset;
import static io.highwater.testkit.PartitionCondition.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.testkit.Fault;
import io.highwater.testkit.HeldRequests;
import io.highwater.testkit.HighwaterCluster;
import io.highwater.testkit.HighwaterTestCluster;
import io.highwater.testkit.PartitionState;
import io.highwater.testkit.Requests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.ApiKeys;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What is to be seen of replication at {@code /metrics}, by one leader that nobody is taken out of the in-sync replicas of. */
@HighwaterCluster(
        brokers = 3,
        config = {
            "highwater.http.port=0",
            "auto.leader.rebalance.enable=false",
            "auto.create.topics.enable=false",
            "broker.session.timeout.ms=120000",
            "replica.lag.time.max.ms=120000"
        })
class ReplicationMetricsIT {
    private static final int LEADER = 1;
    private static final int SLOW = 3;
    private static final String PURGATORY =
            "kafka_server_delayedoperationpurgatory_purgatorysize{delayedOperation=\"%s\"}";

    private final HighwaterTestCluster cluster;
    private String topic = "";

    ReplicationMetricsIT(HighwaterTestCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void ownName(TestInfo test) {
        topic = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void noFaults() {
        cluster.endFaults();
    }

    @Test
    void partitionsAreCountedWhereTheirReplicasAre() {
        double before = sum("kafka_server_replicamanager_partitioncount");

        cluster.createTopic(topic, 12, 3, Map.of("min.insync.replicas", "2"));

        eventually()
                .untilAsserted(() -> assertThat(sum("kafka_server_replicamanager_partitioncount"))
                        .isEqualTo(before + 36));
    }

    /** The leader does not hear what the follower has, nor the follower what the leader has: a lag that only grows. */
    @Test
    void aLagIsWhatTheFollowerLacksAndGrowsWithWhatIsWritten() {
        create(1);
        write(0, 5);
        cluster.await(topic, 0, whole());
        double before = in(scrape(LEADER));
        cluster.cut(LEADER, SLOW);
        double lag = 0;

        for (int written = 5; written < 50; written += 15) {
            write(written, written + 15);
            cluster.await(topic, 0, logEndOffset(2, written + 15));
            PartitionState state = cluster.state(topic, 0);
            Scrape scrape = scrape(LEADER);
            double gap = scrape.of("kafka_log_log_logendoffset", topic, 0)
                    - scrape.of("kafka_log_log_highwatermark", topic, 0);

            assertThat(lagOf(SLOW, scrape))
                    .isGreaterThan(lag)
                    .isEqualTo((double) (state.logEndOffset(LEADER) - state.logEndOffset(SLOW)))
                    .isEqualTo(gap)
                    .isEqualTo(in(scrape) - before);
            lag = lagOf(SLOW, scrape);
        }

        cluster.heal();
        cluster.await(topic, 0, whole());
        Scrape scrape = scrape(LEADER);
        assertThat(lagOf(SLOW, scrape)).isZero();
        assertThat(scrape.of("kafka_log_log_highwatermark", topic, 0))
                .isEqualTo(scrape.of("kafka_log_log_logendoffset", topic, 0))
                .isEqualTo(50);
    }

    /** Followers wait too: two fetches at most. */
    @Test
    void whatWaitsIsCountedUntilItIsAnswered() throws Exception {
        create(1);
        List<KafkaConsumer<String, String>> readers = new ArrayList<>();
        HeldRequests fetches = fetchesOf(SLOW).hold();
        try (KafkaProducer<String, String> producer =
                Clients.producer(cluster.bootstrapServers(), Map.of("acks", "all"))) {
            var first = producer.send(
                    new ProducerRecord<>(topic, "given to the follower with the fetch that waits at the leader"));
            fetches.await(1);
            var last = producer.send(new ProducerRecord<>(topic, "waits"));
            for (int i = 0; i < 5; i++) {
                readers.add(reader());
            }

            eventually().untilAsserted(() -> {
                readers.forEach(each -> each.poll(Duration.ofMillis(10)));
                Scrape scrape = scrape(LEADER);
                assertThat(scrape.value(PURGATORY.formatted("Fetch"))).isGreaterThanOrEqualTo(5);
                assertThat(scrape.value(PURGATORY.formatted("Produce"))).isPositive();
            });

            fetches.close();
            first.get();
            last.get();
            eventually().untilAsserted(() -> {
                Scrape scrape = scrape(LEADER);
                assertThat(scrape.value(PURGATORY.formatted("Fetch"))).isLessThanOrEqualTo(2);
                assertThat(scrape.value(PURGATORY.formatted("Produce"))).isZero();
            });
        } finally {
            readers.forEach(KafkaConsumer::close);
        }
    }

    @Test
    void followersFetchesAreTimedAsConsumersAreAndTheirPartitionsCounted() {
        String cached = "kafka_server_fetchsessioncache_numincrementalfetchpartitionscached";
        Scrape before = scrape(LEADER);

        create(60);

        eventually().untilAsserted(() -> {
            Scrape after = scrape(LEADER);
            assertThat(after.value(cached) - before.value(cached))
                    .as("partitions that two followers ask for in each round")
                    .isEqualTo(2 * 60);
            for (String phase : List.of("requestqueue", "local", "remote", "responsequeue", "total")) {
                assertThat(grown(before, after, phase + "timems_count", "FetchFollower"))
                        .as(phase)
                        .isPositive();
            }
            assertThat(grown(before, after, "remotetimems_sum", "FetchFollower"))
                    .as("they wait at the end of the log")
                    .isPositive();
        });
    }

    /** One follower asks again only 200 ms after it has got something. */
    @Test
    void aWriteWaitsForTheFollowersNextFetchAndHardlyForAnythingElse() throws Exception {
        create(1);
        int records = 5;
        Scrape before = scrape(LEADER);

        try (Fault slow = fetchesOf(SLOW).delay(Duration.ofMillis(200))) {
            for (int i = 0; i < records; i++) {
                Clients.writeNumbered(cluster.bootstrapServers(), topic, i, i + 1, Map.of("acks", "all"));
                cluster.await(topic, 0, highWatermark(SLOW, i + 1));
            }
            assertThat(slow.hits()).isGreaterThanOrEqualTo(records);
        }

        Scrape after = scrape(LEADER);
        double writes = grown(before, after, "totaltimems_count", "Produce");
        double remote = grown(before, after, "remotetimems_sum", "Produce") / writes;
        double local = grown(before, after, "localtimems_sum", "Produce") / writes;
        assertThat(writes).isEqualTo(records);
        assertThat(remote).as("%s ms in the leader, then %s ms", local, remote).isBetween(190.0, 2_000.0);
        assertThat(local).as("%s ms in the leader, then %s ms", local, remote).isLessThan(remote / 3);
    }

    private void create(int partitions) {
        cluster.createTopic(topic, Collections.nCopies(partitions, List.of(LEADER, 2, SLOW)), Map.of());
        cluster.await(topic, partitions - 1, whole().and(inSyncReplicasAtLeader(LEADER, 2, SLOW)));
    }

    private void write(int from, int to) {
        Clients.writeNumbered(
                cluster.bootstrapServers(), topic, from, to, Map.of("acks", "1", "enable.idempotence", "false"));
    }

    private KafkaConsumer<String, String> reader() {
        KafkaConsumer<String, String> reader =
                Clients.consumer(cluster.bootstrapServers(), Map.of("fetch.max.wait.ms", "25000"));
        reader.assign(List.of(new TopicPartition(topic, 0)));
        reader.poll(Duration.ofMillis(10));
        return reader;
    }

    private Requests fetchesOf(int follower) {
        return cluster.broker(LEADER)
                .requests(ApiKeys.FETCH)
                .fromBroker(follower)
                .onTopic(topic);
    }

    private double in(Scrape scrape) {
        return scrape.value("kafka_server_brokertopicmetrics_messagesin_total{topic=\"" + topic + "\"}");
    }

    private double lagOf(int follower, Scrape scrape) {
        return scrape.value("highwater_follower_lag_records{topic=\"" + topic + "\",partition=\"0\",follower=\""
                + follower + "\"}");
    }

    private static double grown(Scrape before, Scrape after, String family, String request) {
        String series = "kafka_network_requestmetrics_" + family + "{request=\"" + request + "\"}";
        return after.value(series) - before.series().getOrDefault(series, 0.0);
    }

    private double sum(String series) {
        return IntStream.rangeClosed(1, 3)
                .mapToDouble(broker -> scrape(broker).value(series))
                .sum();
    }

    private Scrape scrape(int broker) {
        return Scrape.of(cluster.broker(broker));
    }

    private static ConditionFactory eventually() {
        return Awaitility.await().atMost(Duration.ofMinutes(1));
    }
}
