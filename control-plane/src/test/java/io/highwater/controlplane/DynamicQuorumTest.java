package io.highwater.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.DescribeQuorumRequestData;
import org.apache.kafka.common.message.DescribeQuorumResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DynamicQuorumTest {
    @TempDir
    Path directory;

    @Test
    void aControllerJoinsALoneNodeAndVotesThen() {
        try (TestNode first =
                        TestNode.combined(1, directory.resolve("1")).start().unfenced();
                TestNode second = TestNode.controller(
                                2,
                                directory.resolve("2"),
                                first.identity.clusterId(),
                                Map.of(
                                        "controller.quorum.bootstrap.servers",
                                        "localhost:" + first.listener.port(),
                                        "controller.quorum.auto.join.enable",
                                        "true"))
                        .start()) {

            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(voters(first)).containsExactlyInAnyOrder(1, 2));

            assertThat(second.controlPlane.isActiveController()).isFalse();
            assertThatThrownBy(second.controlPlane::lifecycle)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("node 2 is no broker");
        }
    }

    @Test
    void aLoneNodeFindsItselfOnAnotherPortAfterARestart() {
        TestNode.combined(1, directory.resolve("1")).start().unfenced().close();

        try (TestNode again = TestNode.combined(1, directory.resolve("1")).start()) {
            again.unfenced();

            assertThat(again.controlPlane.isActiveController()).isTrue();
        }
    }

    private static List<Integer> voters(TestNode node) {
        DescribeQuorumRequestData request = new DescribeQuorumRequestData()
                .setTopics(List.of(new DescribeQuorumRequestData.TopicData()
                        .setTopicName("__cluster_metadata")
                        .setPartitions(List.of(new DescribeQuorumRequestData.PartitionData()))));
        return node
                .ask(ApiKeys.DESCRIBE_QUORUM, request, DescribeQuorumResponseData.class)
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .currentVoters()
                .stream()
                .map(DescribeQuorumResponseData.ReplicaState::replicaId)
                .toList();
    }
}
