package io.highwater.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One of three voters, alone: nobody can be elected. */
class LeaderlessTest {
    private static final int REQUEST_TIMEOUT_MS = 400;

    @TempDir
    Path directory;

    private TestNode node;

    @BeforeEach
    void start() {
        SocketListener listener = new SocketListener(0);
        SocketListener nobody = new SocketListener(0);
        nobody.close();
        String voters =
                "1@localhost:" + listener.port() + ",2@localhost:" + nobody.port() + ",3@localhost:" + nobody.port();
        node = TestNode.combined(
                        1,
                        directory,
                        listener,
                        null,
                        Map.of(
                                "controller.quorum.voters",
                                voters,
                                "request.timeout.ms",
                                String.valueOf(REQUEST_TIMEOUT_MS)))
                .start();
    }

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void aFetchThatFindsNoLeaderIsNotAnsweredAtOnce() {
        FetchRequestData request = new FetchRequestData()
                .setMaxBytes(1024)
                .setClusterId(node.identity.clusterId())
                .setTopics(List.of(new FetchRequestData.FetchTopic()
                        .setTopicId(Uuid.METADATA_TOPIC_ID)
                        .setPartitions(List.of(new FetchRequestData.FetchPartition()
                                .setPartition(0)
                                .setPartitionMaxBytes(1024)))));
        RequestHeader header = new RequestHeader(ApiKeys.FETCH, ApiKeys.FETCH.latestVersion(), "test", 1);
        long before = System.nanoTime();

        ApiMessage answer = TestNode.await(node.controlPlane.handleControllerRequest(header, request, Caller.self()));

        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .isGreaterThanOrEqualTo(Duration.ofMillis(QuorumRequests.LEADERLESS_FETCH_DELAY_MS));
        FetchResponseData.PartitionData partition =
                ((FetchResponseData) answer).responses().get(0).partitions().get(0);
        assertThat(partition.currentLeader().leaderId()).isNegative();
    }

    @Test
    void aForwardedRequestIsAnsweredWithItsOwnTimeout() {
        long before = System.nanoTime();

        CreateTopicsResponseData answer =
                node.ask(ApiKeys.CREATE_TOPICS, SingleNodeTest.topic("orders", 1), CreateTopicsResponseData.class);

        assertThat(Errors.forCode(answer.topics().find("orders").errorCode())).isEqualTo(Errors.REQUEST_TIMED_OUT);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMillis(20 * REQUEST_TIMEOUT_MS));
    }

    @Test
    void aSecondProposalForAPartitionThatWaitsIsNotAttempted() {
        InSyncReplicasProposal proposal = new InSyncReplicasProposal(Uuid.randomUuid(), 0, 1, 1, List.of());

        CompletionStage<InSyncReplicasAnswer> first = node.controlPlane.alterPartition(proposal);
        InSyncReplicasAnswer second = TestNode.await(node.controlPlane.alterPartition(proposal));

        assertThat(second.error()).isEqualTo(Errors.OPERATION_NOT_ATTEMPTED);
        assertThat(first.toCompletableFuture()).isNotDone();
        node.close();
        assertThatThrownBy(() -> TestNode.await(first)).isInstanceOf(ControlPlaneException.class);
    }

    @Test
    void nothingIsInTheImageAndNobodyIsTold() {
        CompletionStage<Void> told = node.controlPlane.listen(change -> {});

        assertThat(node.controlPlane.image().offset()).isEqualTo(-1);
        assertThat(node.controlPlane.controllerId()).isEmpty();
        node.close();
        assertThatThrownBy(() -> TestNode.await(told)).isInstanceOf(ControlPlaneException.class);
    }

    @Test
    void aFailedDirectoryThatNoControllerTakesNoticeOfEndsTheBroker() {
        node.controlPlane
                .lifecycle()
                .directoryFailed(node.identity.directories().get(0).id(), 50);

        org.awaitility.Awaitility.await().until(() -> node.fault.get() != null);
        assertThat(node.fault.get()).contains("within 50 ms");
    }
}
