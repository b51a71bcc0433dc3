package io.highwater.itests;

import static io.highwater.testkit.PartitionCondition.inSyncReplicas;
import static io.highwater.testkit.PartitionCondition.leader;
import static io.highwater.testkit.PartitionCondition.logEndOffset;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highwater.testkit.HighwaterCluster;
import io.highwater.testkit.HighwaterTestCluster;
import io.highwater.testkit.PartitionCondition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ElectionNotNeededException;
import org.apache.kafka.common.errors.EligibleLeadersNotAvailableException;
import org.apache.kafka.common.errors.PreferredLeaderNotAvailableException;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Who leads when the leader has gone, and who leads again. Five brokers, so that two may be away and the controllers still decide. */
@HighwaterCluster(
        brokers = 5,
        config = {"auto.leader.rebalance.enable=false", "unclean.leader.election.interval.ms=500"})
class ElectionsIT {
    private static final PartitionCondition NO_LEADER =
            PartitionCondition.of("no leader", state -> state.leader() == -1);

    private final HighwaterTestCluster cluster;
    private String topic = "";
    private Runnable beforeTheLeaderGoes = () -> {};

    ElectionsIT(HighwaterTestCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void ownName(TestInfo test) {
        topic = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void everybodyBack() {
        cluster.startAll();
    }

    @Test
    void thePreferredReplicaLeadsAgainWhenItIsAskedFor() throws Exception {
        cluster.createTopic(topic, List.of(List.of(1, 2, 3)), Map.of());
        cluster.broker(1).restart();
        cluster.await(topic, 0, inSyncReplicas(1, 2, 3).and(leader(2)));

        assertThat(elect(ElectionType.PREFERRED)).isEmpty();

        cluster.await(topic, 0, leader(1));
        assertThat(elect(ElectionType.PREFERRED)).get().isInstanceOf(ElectionNotNeededException.class);
    }

    @Test
    void whoIsAwayIsNotElectedAlthoughPreferred() throws Exception {
        cluster.createTopic(topic, List.of(List.of(1, 2, 3)), Map.of());
        cluster.broker(1).stop();

        Optional<Throwable> refusal = elect(ElectionType.PREFERRED);

        assertThat(refusal).get().isInstanceOf(PreferredLeaderNotAvailableException.class);
        cluster.await(topic, 0, leader(2).and(inSyncReplicas(2, 3)));
    }

    @Test
    void anUncleanElectionThatIsAskedForLosesWhatOnlyTheOldLeaderHad() throws Exception {
        leaderGoesAfterFiveRecordsThatTheOtherLacks(Map.of());
        cluster.broker(2).start();
        assertThat(cluster.state(topic, 0).leader()).isEqualTo(-1);

        assertThat(elect(ElectionType.UNCLEAN)).isEmpty();

        theOtherLeadsAndTheOldLeaderFollows();
    }

    /** Who has read what is lost notices by the epoch, and goes on where the logs part. */
    @Test
    void aTopicThatAllowsItIsLedByAnOutsiderAtOnceAndItsReaderIsSetBack() {
        try (KafkaConsumer<String, String> reader = Clients.consumer(cluster.bootstrapServers(), Map.of())) {
            reader.assign(List.of(new TopicPartition(topic, 0)));
            beforeTheLeaderGoes = () -> readUpTo(10, reader);
            leaderGoesAfterFiveRecordsThatTheOtherLacks(Map.of("unclean.leader.election.enable", "true"));

            cluster.broker(2).start();

            theOtherLeadsAndTheOldLeaderFollows();
            assertThat(readUpTo(6, reader)).containsExactly(topic + "-10");
        }
    }

    @Test
    void aTopicThatComesToAllowItIsLedByAnOutsiderSoon() throws Exception {
        leaderGoesAfterFiveRecordsThatTheOtherLacks(Map.of());
        cluster.broker(2).start();

        cluster.admin()
                .incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, topic),
                        List.of(new AlterConfigOp(
                                new ConfigEntry("unclean.leader.election.enable", "true"), AlterConfigOp.OpType.SET))))
                .all()
                .get();

        theOtherLeadsAndTheOldLeaderFollows();
    }

    @Test
    void anUncleanElectionNeedsSomebodyAlive() throws Exception {
        leaderGoesAfterFiveRecordsThatTheOtherLacks(Map.of());

        assertThat(elect(ElectionType.UNCLEAN)).get().isInstanceOf(EligibleLeadersNotAvailableException.class);
    }

    @Test
    void whoLeftWhileWritesWereRefusedAndStoppedInOrderMayLead() {
        cluster.createTopic(topic, List.of(List.of(1, 2)), Map.of("min.insync.replicas", "2"));
        List<String> written = Clients.writeNumbered(cluster.bootstrapServers(), topic, 0, 5, Map.of());
        cluster.broker(2).stop();
        cluster.await(topic, 0, inSyncReplicas(1));
        soon().untilAsserted(() -> assertThat(ids(described().elr())).containsExactly(2));
        cluster.broker(1).stop();
        cluster.await(topic, 0, NO_LEADER.and(inSyncReplicas()));
        soon().untilAsserted(() -> assertThat(ids(described().elr())).containsExactlyInAnyOrder(1, 2));

        cluster.broker(2).start();

        cluster.await(topic, 0, leader(2).and(inSyncReplicas(2)));
        soon().untilAsserted(() -> assertThat(ids(described().elr())).containsExactly(1));
        cluster.broker(1).start();
        cluster.await(topic, 0, leader(2).and(inSyncReplicas(1, 2)));
        soon().untilAsserted(() -> assertThat(described().elr()).isEmpty());
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).isEqualTo(written);
    }

    @Test
    void whoCrashedMayNotLead() {
        cluster.createTopic(topic, List.of(List.of(1, 2)), Map.of("min.insync.replicas", "2"));
        List<String> written = Clients.writeNumbered(cluster.bootstrapServers(), topic, 0, 5, Map.of());
        cluster.broker(2).kill();
        cluster.await(topic, 0, inSyncReplicas(1));
        cluster.broker(1).stop();
        cluster.await(topic, 0, NO_LEADER.and(eligible(1, 2)));

        cluster.broker(2).start();

        cluster.await(topic, 0, NO_LEADER.and(eligible(1)));
        cluster.awaitFenced(2, false);
        soon().untilAsserted(() -> assertThat(ids(described().lastKnownElr())).containsExactly(1));
        cluster.broker(1).start();
        cluster.await(topic, 0, leader(1).and(inSyncReplicas(1, 2)));
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).isEqualTo(written);
    }

    private void leaderGoesAfterFiveRecordsThatTheOtherLacks(Map<String, String> configs) {
        cluster.createTopic(topic, List.of(List.of(1, 2)), configs);
        Clients.writeNumbered(cluster.bootstrapServers(), topic, 0, 5, Map.of());
        cluster.await(topic, 0, logEndOffset(2, 5));
        cluster.broker(2).stop();
        cluster.await(topic, 0, inSyncReplicas(1));
        Clients.writeNumbered(cluster.bootstrapServers(), topic, 5, 10, Map.of());
        beforeTheLeaderGoes.run();
        cluster.broker(1).kill();
        cluster.await(topic, 0, NO_LEADER);
    }

    private void theOtherLeadsAndTheOldLeaderFollows() {
        cluster.await(topic, 0, leader(2).and(inSyncReplicas(2)).and(logEndOffset(2, 5)));
        Clients.writeNumbered(cluster.bootstrapServers(), topic, 10, 11, Map.of());
        cluster.broker(1).start();
        cluster.await(topic, 0, leader(2).and(inSyncReplicas(1, 2)).and(logEndOffset(1, 6)));
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic))
                .containsExactly(topic + "-0", topic + "-1", topic + "-2", topic + "-3", topic + "-4", topic + "-10");
    }

    private List<String> readUpTo(long offset, KafkaConsumer<String, String> reader) {
        List<String> values = new ArrayList<>();
        soon().until(() -> {
            reader.poll(Duration.ofMillis(100)).forEach(one -> values.add(one.value()));
            return reader.position(new TopicPartition(topic, 0)) == offset;
        });
        return values;
    }

    private Optional<Throwable> elect(ElectionType type) throws Exception {
        TopicPartition partition = new TopicPartition(topic, 0);
        return cluster.admin()
                .electLeaders(type, Set.of(partition))
                .partitions()
                .get()
                .get(partition);
    }

    private TopicPartitionInfo described() {
        return Clients.described(cluster.admin(), topic).get(0);
    }

    /** Which broker answers is not said, and it may hear of things a little later than the others. */
    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30));
    }

    private static PartitionCondition eligible(Integer... brokerIds) {
        return PartitionCondition.of(
                "ELR " + List.of(brokerIds),
                state -> state.eligibleLeaderReplicas().equals(List.of(brokerIds)));
    }

    private static List<Integer> ids(List<Node> nodes) {
        return nodes.stream().map(Node::id).toList();
    }
}
