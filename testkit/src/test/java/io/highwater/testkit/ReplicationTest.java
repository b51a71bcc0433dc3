package io.highwater.testkit;

import static io.highwater.testkit.PartitionCondition.highWatermark;
import static io.highwater.testkit.PartitionCondition.inSyncReplicas;
import static io.highwater.testkit.PartitionCondition.logEndOffset;
import static io.highwater.testkit.PartitionCondition.whole;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Copies, seen and slowed down step by step. */
@HighwaterCluster(brokers = 3, config = "replica.lag.time.max.ms=3000")
class ReplicationTest {
    private static final Map<String, Object> ONE_BATCH = Map.of("acks", "all", "linger.ms", 200);

    private final HighwaterTestCluster cluster;
    private final String topic;

    ReplicationTest(HighwaterTestCluster cluster, TestInfo test) {
        this.cluster = cluster;
        this.topic = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void calm() {
        cluster.endFaults();
        cluster.startAll();
    }

    @Test
    void aBatchOnItsWayToItsCommit() throws Exception {
        cluster.createTopic(topic, List.of(List.of(1, 2, 3)), Map.of("min.insync.replicas", "2"));
        Clients.write(cluster, topic, tenValues());
        cluster.await(topic, 0, whole());
        HeldRequests second = cluster.broker(1)
                .requests(ApiKeys.FETCH)
                .fromBroker(2)
                .onTopic(topic)
                .hold();
        HeldRequests third = cluster.broker(1)
                .requests(ApiKeys.FETCH)
                .fromBroker(3)
                .onTopic(topic)
                .hold();

        try (KafkaProducer<String, String> producer = Clients.producer(cluster, ONE_BATCH)) {
            second.await(1);
            third.await(1);
            assertOffsets(10, 10, 10, 10); // T0

            Future<RecordMetadata> first = producer.send(new ProducerRecord<>(topic, "k"));
            Future<RecordMetadata> last = producer.send(new ProducerRecord<>(topic, "l"));
            cluster.await(topic, 0, logEndOffset(1, 12));
            assertOffsets(12, 10, 10, 10); // T1: the leader has it

            second.release();
            cluster.await(topic, 0, logEndOffset(2, 12));
            second.await(1);
            assertOffsets(12, 12, 10, 10); // T2: so has one follower

            third.release();
            cluster.await(topic, 0, logEndOffset(3, 12));
            third.await(1);
            assertOffsets(12, 12, 12, 10); // T3: all have it, but the leader does not know
            assertThat(last).isNotDone();

            second.release();
            second.await(1);
            assertOffsets(12, 12, 12, 10); // T4: it knows of one

            third.release();
            cluster.await(topic, 0, highWatermark(12)); // T5: of both
            assertThat(first.get().offset()).isEqualTo(10);
            assertThat(last.get().offset()).isEqualTo(11);
            assertThat(cluster.state(topic, 0).highWatermark(2)).isEqualTo(10);

            second.release();
            cluster.await(topic, 0, highWatermark(2, 12));
        }
    }

    @Test
    void aRecordSurvivesTheDeathOfItsLeader() {
        cluster.createTopic(topic, 1, 3);
        Clients.write(cluster, topic, "a", "b");
        TestBroker leader = cluster.leaderOf(topic, 0);
        int epoch = cluster.state(topic, 0).leaderEpoch();

        leader.kill();

        PartitionState after = cluster.await(
                topic, 0, PartitionCondition.leaderEpochFrom(epoch + 1).and(PartitionCondition.led()));
        assertThat(after.leader()).isNotEqualTo(leader.id());
        assertThat(Clients.read(cluster, topic, 2)).containsExactly("a", "b");
        leader.start();
        cluster.await(topic, 0, whole());
    }

    @Test
    void aFollowerThatIsCutOffLeavesTheInSyncReplicasAndComesBack() {
        Roles roles = roles();
        cluster.createTopic(topic, roles.assignment(), Map.of());
        Clients.write(cluster, topic, "a");
        cluster.await(topic, 0, whole());

        cluster.cut(roles.follower, roles.leader);
        Clients.write(cluster, topic, "b");
        PartitionState without = cluster.await(topic, 0, inSyncReplicas(roles.leader, roles.controller));
        assertThat(without.leaderEpoch()).isZero();

        cluster.heal();
        cluster.await(topic, 0, whole());
    }

    @Test
    void answersThatDoNotArriveHoldUpAFollowerToo() {
        Roles roles = roles();
        cluster.createTopic(topic, roles.assignment(), Map.of());
        Clients.write(cluster, topic, "a");
        cluster.await(topic, 0, whole());

        cluster.cut(roles.leader, roles.follower);
        Clients.write(cluster, topic, "b");
        PartitionState state = cluster.await(
                topic, 0, inSyncReplicas(roles.leader, roles.controller).and(highWatermark(2)));
        assertThat(state.logEndOffset(roles.follower)).isEqualTo(1);

        cluster.heal();
        cluster.await(topic, 0, whole());
    }

    /**
     * Who is who when the way between leader and follower is cut: the active controller is the third, because both have to reach it. A leader
     * that cannot does not change its in-sync replicas; a follower that cannot leaves a new producer waiting for an id.
     */
    private record Roles(int leader, int follower, int controller) {
        List<List<Integer>> assignment() {
            return List.of(List.of(leader, follower, controller));
        }
    }

    private Roles roles() {
        int controller = cluster.controller().id();
        return new Roles(controller % 3 + 1, (controller + 1) % 3 + 1, controller);
    }

    @Test
    void aPausedFollowerHoldsBackWhatIsCommittedUntilItIsOutOfSync() throws Exception {
        Roles roles = roles();
        pausedFollowerHoldsBack(roles.leader, roles.follower);
    }

    /** Whatever the leader had asked it is asked of its successor, in time for the leader's own session. */
    @Test
    void aPausedControllerHoldsBackWhatIsCommittedUntilItIsOutOfSync() throws Exception {
        Roles roles = roles();
        pausedFollowerHoldsBack(roles.leader, roles.controller);
    }

    private void pausedFollowerHoldsBack(int leader, int paused) throws Exception {
        int other = 6 - leader - paused;
        cluster.createTopic(topic, List.of(List.of(leader, other, paused)), Map.of());

        try (KafkaProducer<String, String> producer = Clients.producer(cluster, Map.of("acks", "all"))) {
            producer.send(new ProducerRecord<>(topic, "a")).get(); // it has its id and knows the leader
            cluster.await(topic, 0, whole());
            cluster.broker(paused).pause();
            Future<RecordMetadata> sent = producer.send(new ProducerRecord<>(topic, "b"));
            cluster.await(topic, 0, logEndOffset(other, 2));
            assertThat(cluster.state(topic, 0).logEndOffset(paused)).isEqualTo(1);
            sent.get();
        }
        PartitionState state = cluster.await(topic, 0, inSyncReplicas(leader, other));
        assertThat(state.leader()).isEqualTo(leader);
        assertThat(state.leaderEpoch()).isZero();

        cluster.broker(paused).resume();
        cluster.await(topic, 0, whole());
    }

    @Test
    void aWipedFollowerGetsEverythingAgain() {
        cluster.createTopic(topic, List.of(List.of(1, 2, 3)), Map.of());
        Clients.write(cluster, topic, tenValues());
        cluster.await(topic, 0, whole());

        cluster.broker(3).kill();
        cluster.broker(3).wipe();
        cluster.broker(3).start();

        assertThat(cluster.await(topic, 0, whole()).logEndOffset(3)).isEqualTo(10);
    }

    @Test
    void aProposalThatFailsIsRepeated() {
        cluster.createTopic(topic, List.of(List.of(1, 2, 3)), Map.of());
        Clients.write(cluster, topic, "a");
        cluster.await(topic, 0, whole());
        // Heartbeats go on, so that it is the leader who finds the follower wanting, and not the controller.
        HeldRequests fetches =
                cluster.broker(1).requests(ApiKeys.FETCH).fromBroker(3).hold();
        Fault failed = cluster.controller()
                .requests(ApiKeys.ALTER_PARTITION)
                .fromBroker(1)
                .first(1)
                .fail(Errors.UNKNOWN_SERVER_ERROR);

        Clients.write(cluster, topic, "b");

        assertThat(cluster.state(topic, 0).inSyncReplicas()).containsExactly(1, 2);
        assertThat(failed.hits()).isEqualTo(1);
        fetches.close();
        cluster.await(topic, 0, whole());
    }

    private void assertOffsets(long first, long second, long third, long highWatermark) {
        PartitionState state = cluster.state(topic, 0);
        assertThat(List.of(state.logEndOffset(1), state.logEndOffset(2), state.logEndOffset(3), state.highWatermark()))
                .as("%s", state)
                .containsExactly(first, second, third, highWatermark);
    }

    private static String[] tenValues() {
        return IntStream.range(0, 10).mapToObj(Integer::toString).toArray(String[]::new);
    }
}
