package io.highwater.itests;

import static io.highwater.testkit.PartitionCondition.highWatermark;
import static io.highwater.testkit.PartitionCondition.inSyncReplicas;
import static io.highwater.testkit.PartitionCondition.inSyncReplicasAtLeader;
import static io.highwater.testkit.PartitionCondition.logEndOffset;
import static io.highwater.testkit.PartitionCondition.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highwater.testkit.Fault;
import io.highwater.testkit.HeldRequests;
import io.highwater.testkit.HighwaterCluster;
import io.highwater.testkit.HighwaterTestCluster;
import io.highwater.testkit.Requests;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** When a producer hears of its records, and for whom it waits. Nobody lags long enough to be left behind. */
@HighwaterCluster(brokers = 3, config = "auto.leader.rebalance.enable=false")
class AcknowledgementsIT {
    private static final Duration LATE = Duration.ofMillis(300);

    private final HighwaterTestCluster cluster;
    private String topic = "";

    /** The active controller leads, so that the others may be away. */
    private int leader;

    private int second;
    private int third;

    AcknowledgementsIT(HighwaterTestCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void ownName(TestInfo test) {
        topic = test.getTestMethod().orElseThrow().getName();
        leader = cluster.controller().id();
        second = leader % 3 + 1;
        third = second % 3 + 1;
    }

    @AfterEach
    void everybodyBack() {
        cluster.endFaults();
        cluster.startAll();
    }

    @Test
    void nobodyIsWaitedForWithoutAcknowledgements() throws Exception {
        create(leader, second);
        try (KafkaProducer<String, String> producer = producer(Map.of("acks", "0"))) {
            producer.send(new ProducerRecord<>(topic, "0")).get();
            cluster.await(topic, 0, logEndOffset(leader, 1));
            cluster.broker(leader).pause();

            RecordMetadata sent =
                    producer.send(new ProducerRecord<>(topic, "1")).get();

            assertThat(sent.hasOffset()).isFalse();
            cluster.broker(leader).resume();
            cluster.await(topic, 0, logEndOffset(leader, 2));
        }
    }

    @Test
    void theSlowestInSyncSetsThePace() throws Exception {
        create(leader, second, third);
        try (KafkaProducer<String, String> producer = producer(Map.of())) {
            producer.send(new ProducerRecord<>(topic, "0")).get();
            cluster.await(topic, 0, whole());
            try (Fault slow = fetches(third).delay(LATE)) {
                await().until(() -> slow.hits() > 0);

                long startNanos = System.nanoTime();
                producer.send(new ProducerRecord<>(topic, "1")).get();

                assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isGreaterThanOrEqualTo(LATE);
            }
        }
    }

    @Test
    void whoIsNotAnsweredInTimeTriesAgainAndIsWrittenOnce() throws Exception {
        create(leader, second);
        try (Fault produces = produces();
                KafkaProducer<String, String> producer = producer(Map.of("request.timeout.ms", "500"))) {
            Future<RecordMetadata> sent;
            try (HeldRequests held = fetches(second).hold()) {
                held.await(1);
                sent = producer.send(new ProducerRecord<>(topic, "0"));
                await().until(() -> produces.hits() > 1);
                assertThat(cluster.state(topic, 0).logEndOffset(leader)).isEqualTo(1);
                assertThat(cluster.state(topic, 0).inSyncReplicas()).hasSize(2);
            }

            assertThat(sent.get().offset()).isZero();
        }
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).containsExactly("0");
    }

    @Test
    void whatIsRefusedIsWrittenOnceEnoughAreBack() throws Exception {
        create(leader, second);
        cluster.broker(second).stop();
        cluster.await(topic, 0, inSyncReplicasAtLeader(leader));
        try (Fault produces = produces();
                KafkaProducer<String, String> producer = producer(Map.of())) {
            Future<RecordMetadata> sent = producer.send(new ProducerRecord<>(topic, "0"));
            await().until(() -> produces.hits() > 1);
            assertThat(cluster.state(topic, 0).logEndOffset(leader)).isZero();

            cluster.broker(second).start();

            assertThat(sent.get().offset()).isZero();
        }
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).containsExactly("0");
    }

    @Test
    void followersDoNotNeedEachOther() {
        create(leader, second, third);
        cluster.cut(second, third);
        cluster.cut(third, second);

        write("0");

        assertThat(cluster.state(topic, 0).inSyncReplicas()).hasSize(3);
    }

    @Test
    void aReplicaThatIsStillCopyingIsNotWaitedFor() throws Exception {
        create(leader, second);
        write("0", "1");
        try (HeldRequests copying = fetches(third).hold()) {
            cluster.admin()
                    .alterPartitionReassignments(Map.of(
                            new TopicPartition(topic, 0),
                            Optional.of(new NewPartitionReassignment(List.of(leader, second, third)))))
                    .all()
                    .get();
            copying.await(1);

            write("2");

            assertThat(cluster.state(topic, 0).highWatermark()).isEqualTo(3);
            assertThat(cluster.state(topic, 0).logEndOffset(third)).isZero();
            assertThat(cluster.state(topic, 0).inSyncReplicas()).hasSize(2);
        }
        cluster.await(topic, 0, inSyncReplicas(leader, second, third));
        assertThat(cluster.await(topic, 0, whole()).highWatermark()).isEqualTo(3);
    }

    /** Who is about to join is not in sync before the controller says so, but waited for from the moment it is asked. */
    @Test
    void whoIsProposedIsWaitedForBeforeTheControllerHasAgreed() throws Exception {
        create(leader, second, third);
        cluster.broker(third).stop();
        cluster.await(topic, 0, inSyncReplicasAtLeader(leader, second));
        try (HeldRequests proposals = cluster.broker(leader)
                        .requests(ApiKeys.ALTER_PARTITION)
                        .fromBroker(leader)
                        .hold();
                KafkaProducer<String, String> producer = producer(Map.of())) {
            cluster.broker(third).start();
            proposals.await(1);
            Future<RecordMetadata> sent;
            try (HeldRequests fetches = fetches(third).hold()) {
                fetches.await(1);

                sent = producer.send(new ProducerRecord<>(topic, "0"));
                cluster.await(topic, 0, logEndOffset(leader, 1).and(logEndOffset(second, 1)));
                assertThat(cluster.state(topic, 0).inSyncReplicas()).containsExactlyInAnyOrder(leader, second);
                assertThat(cluster.state(topic, 0).highWatermark()).isZero();
                assertThat(sent).isNotDone();
            }
            sent.get();
            assertThat(cluster.state(topic, 0).inSyncReplicas()).containsExactlyInAnyOrder(leader, second);
        }
        cluster.await(topic, 0, inSyncReplicas(leader, second, third).and(highWatermark(1)));
    }

    private void create(Integer... replicas) {
        cluster.createTopic(topic, List.of(List.of(replicas)), Map.of("min.insync.replicas", "2"));
    }

    private Requests fetches(int follower) {
        return cluster.broker(leader)
                .requests(ApiKeys.FETCH)
                .fromBroker(follower)
                .onTopic(topic);
    }

    /** Counts them. */
    private Fault produces() {
        return cluster.broker(leader).requests(ApiKeys.PRODUCE).onTopic(topic).delay(Duration.ZERO);
    }

    private KafkaProducer<String, String> producer(Map<String, String> settings) {
        return Clients.producer(cluster.bootstrapServers(), settings);
    }

    private void write(String... values) {
        Clients.write(
                cluster.bootstrapServers(),
                List.of(values).stream()
                        .map(value -> new ProducerRecord<String, String>(topic, value))
                        .toList(),
                Map.of());
    }
}
