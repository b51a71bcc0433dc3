package io.highwater.broker.api.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.api.FakeControlPlane;
import io.highwater.broker.api.Requests;
import io.highwater.broker.api.TestCluster;
import io.highwater.controlplane.ClusterImage;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class CreateHandlersTest {
    private final FakeControlPlane controlPlane = new FakeControlPlane(ClusterImage.empty());
    private final Queue<Runnable> later = new ArrayDeque<>();
    private final Set<String> serving = new HashSet<>();

    @Test
    void theAnswerWaitsUntilEveryLeaderHereServes() {
        controlPlane.answer = CompletableFuture.completedFuture(created("orders", Errors.NONE));

        Future<ApiMessage> answer = createTopics(new CreateTopicsRequestData().setTimeoutMs(60_000));
        assertThat(answer.isComplete()).as("the image does not have it yet").isFalse();

        controlPlane.image =
                ClusterImage.builder().topic(TestCluster.topic("orders", 2, 1)).build();
        serving.add("orders-0");
        lookAgain();
        assertThat(answer.isComplete()).as("one of two leaders serves").isFalse();

        serving.add("orders-1");
        lookAgain();
        assertThat(answer.result()).isInstanceOf(CreateTopicsResponseData.class);
    }

    @Test
    void itWaitsNoLongerThanTheClient() {
        controlPlane.answer = CompletableFuture.completedFuture(created("orders", Errors.NONE));

        Future<ApiMessage> answer = createTopics(new CreateTopicsRequestData().setTimeoutMs(0));

        assertThat(answer.isComplete()).isTrue();
    }

    @Test
    void nothingIsWaitedForThatWasNotCreated() {
        controlPlane.answer = CompletableFuture.completedFuture(created("orders", Errors.TOPIC_ALREADY_EXISTS));
        assertThat(createTopics(new CreateTopicsRequestData().setTimeoutMs(60_000))
                        .isComplete())
                .isTrue();

        controlPlane.answer = CompletableFuture.completedFuture(created("orders", Errors.NONE));
        assertThat(createTopics(new CreateTopicsRequestData()
                                .setTimeoutMs(60_000)
                                .setValidateOnly(true))
                        .isComplete())
                .isTrue();
        assertThat(later).isEmpty();
    }

    @Test
    void leadersElsewhereAndMissingLeadersAreNotWaitedFor() {
        controlPlane.image =
                ClusterImage.builder().topic(TestCluster.topic("orders", 1, 2)).build();
        controlPlane.answer = CompletableFuture.completedFuture(created("orders", Errors.NONE));

        assertThat(createTopics(new CreateTopicsRequestData().setTimeoutMs(60_000))
                        .isComplete())
                .isTrue();
    }

    @Test
    void newPartitionsAreWaitedForToo() {
        controlPlane.image =
                ClusterImage.builder().topic(TestCluster.topic("orders", 1, 1)).build();
        serving.addAll(Set.of("orders-0", "orders-1"));
        CreatePartitionsRequestData body = new CreatePartitionsRequestData().setTimeoutMs(60_000);
        body.topics().mustAdd(new CreatePartitionsTopic().setName("orders").setCount(2));
        CreatePartitionsResponseData grown = new CreatePartitionsResponseData();
        grown.results().add(new CreatePartitionsResponseData.CreatePartitionsTopicResult().setName("orders"));
        controlPlane.answer = CompletableFuture.completedFuture(grown);

        Future<ApiMessage> answer = new CreatePartitionsHandler(new Forwarding(controlPlane), leaderWait())
                .handle(Requests.request(ApiKeys.CREATE_PARTITIONS, 3, body), body);
        assertThat(answer.isComplete()).isFalse();

        controlPlane.image =
                ClusterImage.builder().topic(TestCluster.topic("orders", 2, 1)).build();
        lookAgain();
        assertThat(answer.result()).isSameAs(grown);
    }

    private Future<ApiMessage> createTopics(CreateTopicsRequestData body) {
        return new CreateTopicsHandler(new Forwarding(controlPlane), leaderWait())
                .handle(Requests.request(ApiKeys.CREATE_TOPICS, 7, body), body);
    }

    private LeaderWait leaderWait() {
        return new LeaderWait(new ClusterNeeds(
                "cluster",
                TestCluster.config(Map.of()),
                controlPlane,
                (topic, index) -> serving.contains(topic + "-" + index),
                (delayMs, task) -> later.add(task)));
    }

    private void lookAgain() {
        later.remove().run();
    }

    private static CreateTopicsResponseData created(String name, Errors error) {
        CreateTopicsResponseData answer = new CreateTopicsResponseData();
        answer.topics().mustAdd(new CreatableTopicResult().setName(name).setErrorCode(error.code()));
        return answer;
    }
}
