package io.highwater.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.DescribeQuorumRequestData;
import org.apache.kafka.common.message.DescribeQuorumResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three combined nodes in this JVM, with a majority vote among them. */
class QuorumTest {
    private static final int NODES = 3;

    @TempDir
    Path directory;

    private final List<TestNode> nodes = new ArrayList<>();
    private final String clusterId = Uuid.randomUuid().toString();
    private Map<String, String> properties = Map.of();

    @BeforeEach
    void start() {
        List<SocketListener> listeners =
                IntStream.range(0, NODES).mapToObj(i -> new SocketListener(0)).toList();
        properties = Map.of(
                "controller.quorum.voters",
                IntStream.range(0, NODES)
                        .mapToObj(
                                i -> (i + 1) + "@localhost:" + listeners.get(i).port())
                        .collect(Collectors.joining(",")),
                "controller.quorum.election.timeout.ms",
                "1000",
                "controller.quorum.fetch.timeout.ms",
                "2000");
        for (int i = 0; i < NODES; i++) {
            nodes.add(node(i + 1, listeners.get(i)));
        }
        nodes.forEach(TestNode::start);
        nodes.forEach(node -> node.controlPlane.lifecycle().register(-1));
        nodes.forEach(node -> TestNode.await(node.controlPlane.lifecycle().caughtUp()));
        nodes.forEach(node -> TestNode.await(node.controlPlane.lifecycle().readyToUnfence()));
    }

    private TestNode node(int id, SocketListener listener) {
        return TestNode.combined(id, directory.resolve("node-" + id), listener, clusterId, properties);
    }

    @AfterEach
    void stop() {
        nodes.forEach(TestNode::close);
    }

    @Test
    void exactlyOneIsActiveAndAllAgreeWho() {
        await().untilAsserted(() -> assertThat(nodes.stream()
                        .map(node -> node.controlPlane.controllerId())
                        .distinct())
                .hasSize(1));
        assertThat(nodes.stream().filter(node -> node.controlPlane.isActiveController()))
                .hasSize(1);
        DescribeQuorumResponseData quorum =
                standby().ask(ApiKeys.DESCRIBE_QUORUM, describe(), DescribeQuorumResponseData.class);
        assertThat(quorum.topics().get(0).partitions().get(0).currentVoters()).hasSize(NODES);
    }

    @Test
    void aRequestForwardedByAStandbyIsAnsweredByTheActiveController() {
        createOn(standby(), "orders");

        nodes.forEach(node -> await().until(() -> node.controlPlane.image().topic("orders") != null));
    }

    @Test
    void theOthersElectASuccessorAndKeepEverything() {
        createOn(active(), "orders");
        TestNode gone = active();

        gone.close();
        nodes.remove(gone);
        createOn(nodes.get(0), "later");

        nodes.forEach(node -> await().until(() -> node.controlPlane.image().topic("later") != null));
        assertThat(nodes.get(0).controlPlane.image().topic("orders")).isNotNull();
        assertThat(nodes.get(0).controlPlane.controllerId().getAsInt()).isNotEqualTo(gone.settings.nodeId());
    }

    @Test
    void aBrokerThatFallsSilentIsFencedAndLosesItsLeadership() {
        createOn(active(), "orders");
        TestNode silent = standby();
        int id = silent.settings.nodeId();

        silent.close();
        nodes.remove(silent);

        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            ClusterImage image = nodes.get(0).controlPlane.image();
            assertThat(image.broker(id))
                    .satisfies(broker -> assertThat(broker.fenced()).isTrue());
            assertThat(image.partition("orders", 0)).satisfies(partition -> {
                assertThat(partition.inSyncReplicas()).doesNotContain(id).hasSize(2);
                assertThat(partition.leader()).isNotEqualTo(id).isNotNegative();
            });
        });
    }

    @Test
    void aBrokerIsLetGoWhenItsLeadershipHasMoved() {
        createOn(active(), "orders");
        TestNode leaver = nodes.stream()
                .filter(node -> !node.controlPlane.isActiveController())
                .findFirst()
                .orElseThrow();
        int id = leaver.settings.nodeId();

        TestNode.await(leaver.controlPlane.lifecycle().beginControlledShutdown());

        assertThat(leaver.controlPlane.lifecycle().state()).isEqualTo(BrokerLifecycle.State.SHUTTING_DOWN);
        await().untilAsserted(() -> assertThat(active().controlPlane.image().partition("orders", 0))
                .satisfies(partition -> assertThat(partition.inSyncReplicas()).doesNotContain(id)));
    }

    @Test
    void aLeaderShrinksItsInSyncReplicasAndIsToldTheNewVersion() {
        createOn(active(), "orders");
        PartitionView partition =
                await().until(() -> active().controlPlane.image().partition("orders", 0), view -> view != null);
        TestNode leader = nodes.stream()
                .filter(node -> node.settings.nodeId() == partition.leader())
                .findFirst()
                .orElseThrow();
        List<InSyncReplicasProposal.Member> itself = List.of(new InSyncReplicasProposal.Member(
                partition.leader(), leader.controlPlane.lifecycle().brokerEpoch()));
        InSyncReplicasProposal shrink = new InSyncReplicasProposal(
                partition.topicId(), 0, partition.leaderEpoch(), partition.partitionEpoch(), itself);
        InSyncReplicasProposal ofAFormerReign = new InSyncReplicasProposal(
                partition.topicId(), 0, partition.leaderEpoch() - 1, partition.partitionEpoch(), itself);

        InSyncReplicasAnswer tooLate = TestNode.await(leader.controlPlane.alterPartition(ofAFormerReign));
        InSyncReplicasAnswer answer = TestNode.await(leader.controlPlane.alterPartition(shrink));
        InSyncReplicasAnswer again = TestNode.await(leader.controlPlane.alterPartition(shrink));

        assertThat(tooLate.error()).isEqualTo(Errors.FENCED_LEADER_EPOCH);
        assertThat(answer.error()).isEqualTo(Errors.NONE);
        assertThat(answer.inSyncReplicas()).containsExactly(partition.leader());
        assertThat(answer.partitionEpoch()).isEqualTo(partition.partitionEpoch() + 1);
        assertThat(again.error()).isEqualTo(Errors.INVALID_UPDATE_VERSION);
    }

    @Test
    void nobodyIsInSyncAsTheBrokerItWasBeforeARestart() {
        createOn(active(), "orders");
        PartitionView partition =
                await().until(() -> active().controlPlane.image().partition("orders", 0), view -> view != null);
        TestNode leader = nodes.stream()
                .filter(node -> node.settings.nodeId() == partition.leader())
                .findFirst()
                .orElseThrow();

        InSyncReplicasAnswer former = TestNode.await(leader.controlPlane.alterPartition(inSync(partition, -1)));
        InSyncReplicasAnswer present = TestNode.await(leader.controlPlane.alterPartition(inSync(partition, 0)));

        assertThat(former.error()).isEqualTo(Errors.INELIGIBLE_REPLICA);
        assertThat(present.error()).isEqualTo(Errors.NONE);
    }

    /** All replicas, the followers as registered so much later than they are. */
    private InSyncReplicasProposal inSync(PartitionView partition, long later) {
        return new InSyncReplicasProposal(
                partition.topicId(),
                0,
                partition.leaderEpoch(),
                partition.partitionEpoch(),
                partition.replicas().stream()
                        .map(id -> new InSyncReplicasProposal.Member(
                                id, brokerEpoch(id) + (id == partition.leader() ? 0 : later)))
                        .toList());
    }

    private long brokerEpoch(int id) {
        return nodes.stream()
                .filter(node -> node.settings.nodeId() == id)
                .findFirst()
                .orElseThrow()
                .controlPlane
                .lifecycle()
                .brokerEpoch();
    }

    @Test
    void aReplicasDirectoryIsRecorded() {
        createOn(active(), "orders");
        TestNode node = nodes.get(0);
        PartitionView partition =
                await().until(() -> node.controlPlane.image().partition("orders", 0), view -> view != null);
        Uuid own = node.identity.directories().get(0).id();

        TestNode.await(node.controlPlane.assignReplicaToDirectory(partition.topicId(), 0, own));

        await().untilAsserted(() -> assertThat(node.controlPlane.image().partition("orders", 0))
                .satisfies(view ->
                        assertThat(view.directoryOf(node.settings.nodeId())).isEqualTo(own)));
    }

    private TestNode active() {
        return await().until(
                        () -> nodes.stream()
                                .filter(node -> node.controlPlane.isActiveController())
                                .findFirst()
                                .orElse(null),
                        node -> node != null);
    }

    private TestNode standby() {
        TestNode active = active();
        return nodes.stream().filter(node -> node != active).findFirst().orElseThrow();
    }

    private static void createOn(TestNode node, String name) {
        CreateTopicsRequestData request = new CreateTopicsRequestData().setTimeoutMs(20_000);
        request.topics()
                .mustAdd(new CreateTopicsRequestData.CreatableTopic()
                        .setName(name)
                        .setNumPartitions(1)
                        .setReplicationFactor((short) NODES));
        CreateTopicsResponseData answer = node.ask(ApiKeys.CREATE_TOPICS, request, CreateTopicsResponseData.class);
        short error = answer.topics().find(name).errorCode();
        // The request may have been carried out by a controller that was lost before it answered.
        assertThat(Errors.forCode(error)).isIn(Errors.NONE, Errors.TOPIC_ALREADY_EXISTS);
    }

    private static DescribeQuorumRequestData describe() {
        return new DescribeQuorumRequestData()
                .setTopics(List.of(new DescribeQuorumRequestData.TopicData()
                        .setTopicName("__cluster_metadata")
                        .setPartitions(List.of(new DescribeQuorumRequestData.PartitionData().setPartitionIndex(0)))));
    }
}
