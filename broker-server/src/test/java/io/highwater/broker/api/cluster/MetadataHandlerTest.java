package io.highwater.broker.api.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.api.AuthorizedOperations;
import io.highwater.broker.api.FakeControlPlane;
import io.highwater.broker.api.Requests;
import io.highwater.broker.api.TestCluster;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.TopicView;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class MetadataHandlerTest {
    private static final TopicView ORDERS = TestCluster.topic("orders", 2, 1, 2, 3);

    /** Broker 3 is fenced; broker 2 does not listen on INTERNAL. */
    private final FakeControlPlane controlPlane = new FakeControlPlane(ClusterImage.builder()
            .broker(TestCluster.broker(1, false, "PLAINTEXT", "INTERNAL"))
            .broker(TestCluster.broker(2, false, "PLAINTEXT"))
            .broker(TestCluster.broker(3, true, "PLAINTEXT", "INTERNAL"))
            .topic(ORDERS)
            .topic(TestCluster.topic("headless", 1, -1, 2))
            .topic(TestCluster.topic("elsewhere", 1, 2))
            .build());

    @Test
    void allTopicsAndAliveBrokersAreTold() {
        MetadataResponseData answer = ask(13, new MetadataRequestData().setTopics(null));

        assertThat(answer.brokers()).extracting(MetadataResponseBroker::nodeId).containsExactlyInAnyOrder(1, 2);
        assertThat(answer.brokers().find(1).host()).isEqualTo("h1");
        assertThat(answer.brokers().find(1).rack()).isEqualTo("r1");
        assertThat(answer.controllerId()).isIn(1, 2);
        assertThat(answer.clusterId()).isEqualTo("cluster");
        assertThat(answer.topics())
                .extracting(MetadataResponseTopic::name)
                .containsExactlyInAnyOrder("orders", "headless", "elsewhere");
    }

    @Test
    void aPartitionIsToldWithItsReplicasAndThoseThatDoNotServe() {
        MetadataResponseTopic topic = onlyTopic(ask(13, named("orders")));

        assertThat(topic.topicId()).isEqualTo(ORDERS.id());
        assertThat(topic.partitions())
                .extracting(MetadataResponsePartition::partitionIndex)
                .containsExactly(0, 1);
        MetadataResponsePartition first = topic.partitions().get(0);
        assertThat(first.errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(first.leaderId()).isEqualTo(1);
        assertThat(first.leaderEpoch()).isEqualTo(5);
        assertThat(first.replicaNodes()).containsExactly(1, 2, 3);
        assertThat(first.isrNodes()).containsExactly(1, 2, 3);
        assertThat(first.offlineReplicas()).containsExactly(3);
    }

    @Test
    void versionZeroHasNoReplicasThatItsClientCannotReach() {
        MetadataResponseData answer = (MetadataResponseData) handler(Map.of())
                .handle(Requests.request(ApiKeys.METADATA, 0, named("orders"), "INTERNAL"), named("orders"))
                .result();

        MetadataResponsePartition partition = onlyTopic(answer).partitions().get(0);
        assertThat(partition.errorCode()).isEqualTo(Errors.REPLICA_NOT_AVAILABLE.code());
        assertThat(partition.replicaNodes()).containsExactly(1, 3);
    }

    @Test
    void anEmptyListMeansAllInVersionZeroAndNoneLater() {
        assertThat(ask(0, new MetadataRequestData()).topics()).hasSize(3);
        assertThat(ask(1, new MetadataRequestData()).topics()).isEmpty();
    }

    @Test
    void aPartitionWithoutLeaderSaysSo() {
        MetadataResponsePartition partition =
                onlyTopic(ask(13, named("headless"))).partitions().get(0);

        assertThat(partition.errorCode()).isEqualTo(Errors.LEADER_NOT_AVAILABLE.code());
        assertThat(partition.leaderId()).isEqualTo(-1);
    }

    @Test
    void aLeaderThatLacksTheClientsListenerIsNamedAsSuchSinceVersionSix() {
        for (int version : new int[] {5, 6}) {
            MetadataResponseData answer = (MetadataResponseData) handler(Map.of())
                    .handle(
                            Requests.request(ApiKeys.METADATA, version, named("elsewhere"), "INTERNAL"),
                            named("elsewhere"))
                    .result();

            assertThat(Errors.forCode(onlyTopic(answer).partitions().get(0).errorCode()))
                    .isEqualTo(version < 6 ? Errors.LEADER_NOT_AVAILABLE : Errors.LISTENER_NOT_FOUND);
        }
    }

    @Test
    void aLeaderHereIsNotNamedBeforeItServes() {
        Set<Integer> serving = new HashSet<>(Set.of(0));
        ClusterNeeds needs = new ClusterNeeds(
                "cluster",
                TestCluster.config(Map.of()),
                controlPlane,
                (topic, index) -> serving.contains(index),
                (delay, task) -> {});
        MetadataHandler handler = new MetadataHandler(needs, new TopicAutoCreation(controlPlane, needs.config()));

        MetadataResponseTopic topic = onlyTopic((MetadataResponseData)
                handler.handle(Requests.request(ApiKeys.METADATA, 13, named("orders")), named("orders"))
                        .result());

        assertThat(topic.partitions())
                .extracting(MetadataResponsePartition::leaderId)
                .containsExactly(1, -1);
        assertThat(topic.partitions())
                .extracting(partition -> Errors.forCode(partition.errorCode()))
                .containsExactly(Errors.NONE, Errors.LEADER_NOT_AVAILABLE);
    }

    @Test
    void topicsAreFoundByTheirIds() {
        Uuid unknown = Uuid.randomUuid();
        MetadataRequestData body = new MetadataRequestData()
                .setTopics(List.of(
                        new MetadataRequestTopic().setTopicId(ORDERS.id()).setName(null),
                        new MetadataRequestTopic().setTopicId(unknown).setName(null)));

        MetadataResponseData answer = ask(12, body);

        assertThat(answer.topics()).hasSize(2);
        assertThat(answer.topics()).anySatisfy(topic -> {
            assertThat(topic.name()).isEqualTo("orders");
            assertThat(topic.errorCode()).isEqualTo(Errors.NONE.code());
        });
        assertThat(answer.topics()).anySatisfy(topic -> {
            assertThat(topic.topicId()).isEqualTo(unknown);
            assertThat(topic.name()).isNull();
            assertThat(topic.errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_ID.code());
        });
    }

    @Test
    void anIdBeforeVersionTwelveIsAnInvalidRequest() {
        MetadataRequestData body = new MetadataRequestData()
                .setTopics(List.of(
                        new MetadataRequestTopic().setTopicId(ORDERS.id()).setName("orders")));

        assertThat(onlyTopic(ask(11, body)).errorCode()).isEqualTo(Errors.INVALID_REQUEST.code());
    }

    @Test
    void aMissingTopicIsCreatedByUseOnceAndTheClientAsksAgain() {
        MetadataHandler handler = handler(Map.of("num.partitions", "4"));

        for (int i = 0; i < 2; i++) {
            MetadataResponseTopic topic = onlyTopic((MetadataResponseData)
                    handler.handle(Requests.request(ApiKeys.METADATA, 13, named("new")), named("new"))
                            .result());

            assertThat(topic.errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        }

        CreatableTopic created = onlyCreated();
        assertThat(created.name()).isEqualTo("new");
        assertThat(created.numPartitions()).isEqualTo(4);
        assertThat(created.replicationFactor()).as("as the controller has it").isEqualTo((short) -1);
        assertThat(controlPlane.callers.get(0).listenerName()).isEqualTo("PLAINTEXT");
    }

    @Test
    void aTopicThatCouldNotBeCreatedIsTriedAgainWhenItIsUsedAgain() {
        MetadataHandler handler = handler(Map.of());
        controlPlane.answer = CompletableFuture.completedFuture(new CreateTopicsResponseData());

        handler.handle(Requests.request(ApiKeys.METADATA, 13, named("new")), named("new"));
        handler.handle(Requests.request(ApiKeys.METADATA, 13, named("new")), named("new"));

        assertThat(controlPlane.forwarded).hasSize(2);
    }

    @Test
    void nothingIsCreatedWhenClientOrConfigurationForbidIt() {
        MetadataRequestData forbidding = named("new").setAllowAutoTopicCreation(false);

        assertThat(onlyTopic(ask(13, forbidding)).errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        handler(Map.of("auto.create.topics.enable", "false"))
                .handle(Requests.request(ApiKeys.METADATA, 13, named("new")), named("new"));

        assertThat(controlPlane.forwarded).isEmpty();
    }

    @Test
    void aNameThatNoTopicCanHaveIsToldSo() {
        assertThat(onlyTopic(ask(13, named("not/a/name"))).errorCode())
                .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION.code());
        assertThat(onlyTopic(ask(13, named("not/a/name").setAllowAutoTopicCreation(false)))
                        .errorCode())
                .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION.code());
        assertThat(controlPlane.forwarded).isEmpty();
    }

    @Test
    void theTopicOfCommittedOffsetsIsCreatedAsTheBrokerNeedsIt() {
        ask(13, named("__consumer_offsets"));

        CreatableTopic created = onlyCreated();
        assertThat(created.numPartitions()).isEqualTo(50);
        assertThat(created.replicationFactor()).isEqualTo((short) 3);
        assertThat(created.configs().find("cleanup.policy").value()).isEqualTo("compact");
        assertThat(created.configs().find("segment.bytes").value()).isEqualTo("104857600");
    }

    @Test
    void withoutAnAuthorizerEverythingIsAuthorized() {
        MetadataRequestData body =
                named("orders").setIncludeTopicAuthorizedOperations(true).setIncludeClusterAuthorizedOperations(true);

        assertThat(onlyTopic(ask(8, body)).topicAuthorizedOperations())
                .isEqualTo(AuthorizedOperations.ALL_OF_TOPIC)
                .isEqualTo(3576);
        assertThat(ask(8, body).clusterAuthorizedOperations())
                .isEqualTo(AuthorizedOperations.ALL_OF_CLUSTER)
                .isEqualTo(8096);
        assertThat(ask(11, body).clusterAuthorizedOperations()).isEqualTo(AuthorizedOperations.NOT_ASKED);
    }

    private CreatableTopic onlyCreated() {
        assertThat(controlPlane.forwarded).hasSize(1);
        return ((CreateTopicsRequestData) controlPlane.forwarded.get(0))
                .topics()
                .iterator()
                .next();
    }

    private MetadataResponseData ask(int version, MetadataRequestData body) {
        return (MetadataResponseData) handler(Map.of())
                .handle(Requests.request(ApiKeys.METADATA, version, body), body)
                .result();
    }

    private MetadataHandler handler(Map<String, String> settings) {
        ClusterNeeds needs = new ClusterNeeds(
                "cluster", TestCluster.config(settings), controlPlane, (topic, index) -> true, (delay, task) -> {});
        return new MetadataHandler(needs, new TopicAutoCreation(controlPlane, needs.config()));
    }

    private static MetadataRequestData named(String name) {
        return new MetadataRequestData().setTopics(List.of(new MetadataRequestTopic().setName(name)));
    }

    private static MetadataResponseTopic onlyTopic(MetadataResponseData answer) {
        assertThat(answer.topics()).hasSize(1);
        return answer.topics().iterator().next();
    }
}
