package io.highwater.broker.api.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.api.AuthorizedOperations;
import io.highwater.broker.api.FakeControlPlane;
import io.highwater.broker.api.Requests;
import io.highwater.broker.api.TestCluster;
import io.highwater.broker.config.LiveConfig;
import io.highwater.controlplane.ClusterImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.Cursor;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class DescribeHandlersTest {
    private final FakeControlPlane controlPlane = new FakeControlPlane(ClusterImage.builder()
            .broker(TestCluster.broker(1, false, "PLAINTEXT"))
            .broker(TestCluster.broker(2, true, "PLAINTEXT"))
            .topic(TestCluster.topic("a", 3, 1))
            .topic(TestCluster.topic("b", 2, 1))
            .topic(TestCluster.topic("c", 1, 1))
            .build());

    @Test
    void fencedBrokersAreToldOnRequestOnly() {
        assertThat(cluster(2, new DescribeClusterRequestData()).brokers())
                .extracting(DescribeClusterBroker::brokerId)
                .containsExactly(1);

        DescribeClusterResponseData all = cluster(2, new DescribeClusterRequestData().setIncludeFencedBrokers(true));

        assertThat(all.brokers()).hasSize(2);
        assertThat(all.brokers().find(2).isFenced()).isTrue();
        assertThat(all.controllerId()).isEqualTo(1);
        assertThat(all.clusterId()).isEqualTo("cluster");
        assertThat(all.clusterAuthorizedOperations()).isEqualTo(AuthorizedOperations.NOT_ASKED);
    }

    @Test
    void controllersCannotBeAskedForHere() {
        byte controllers = 2;
        byte unheardOf = 9;

        assertThat(cluster(1, new DescribeClusterRequestData().setEndpointType(controllers))
                        .errorCode())
                .isEqualTo(Errors.MISMATCHED_ENDPOINT_TYPE.code());
        assertThat(cluster(1, new DescribeClusterRequestData().setEndpointType(unheardOf))
                        .errorCode())
                .isEqualTo(Errors.UNSUPPORTED_ENDPOINT_TYPE.code());
    }

    @Test
    void pagesJoinUpToEverything() {
        List<String> seen = new ArrayList<>();
        DescribeTopicPartitionsRequestData body = new DescribeTopicPartitionsRequestData().setResponsePartitionLimit(2);
        int pages = 0;
        do {
            DescribeTopicPartitionsResponseData page = partitions(body);
            page.topics()
                    .forEach(topic -> topic.partitions()
                            .forEach(partition -> seen.add(topic.name() + partition.partitionIndex())));
            body.setCursor(
                    page.nextCursor() == null
                            ? null
                            : new Cursor()
                                    .setTopicName(page.nextCursor().topicName())
                                    .setPartitionIndex(page.nextCursor().partitionIndex()));
            pages++;
        } while (body.cursor() != null);

        assertThat(seen).containsExactly("a0", "a1", "a2", "b0", "b1", "c0");
        assertThat(pages).isEqualTo(3);
    }

    @Test
    void theBrokersLimitHoldsToo() {
        DescribeTopicPartitionsRequestData body =
                new DescribeTopicPartitionsRequestData().setResponsePartitionLimit(2000);

        DescribeTopicPartitionsResponseData page = partitions(body, Map.of("max.request.partition.size.limit", "1"));

        assertThat(page.topics().find("a").partitions()).hasSize(1);
        assertThat(page.nextCursor().partitionIndex()).isEqualTo(1);
    }

    @Test
    void missingTopicsAreToldWhenNamed() {
        DescribeTopicPartitionsResponseData page = partitions(named("a", "nope", "no/pe"));

        assertThat(page.topics())
                .extracting(DescribeTopicPartitionsResponseTopic::name, topic -> Errors.forCode(topic.errorCode()))
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple("a", Errors.NONE),
                        org.assertj.core.groups.Tuple.tuple("nope", Errors.UNKNOWN_TOPIC_OR_PARTITION),
                        org.assertj.core.groups.Tuple.tuple("no/pe", Errors.INVALID_TOPIC_EXCEPTION));
        assertThat(page.topics().find("a").topicAuthorizedOperations()).isEqualTo(AuthorizedOperations.ALL_OF_TOPIC);
    }

    @Test
    void aCursorBeyondTheLastPartitionGoesOnWithTheNextTopic() {
        DescribeTopicPartitionsRequestData body = new DescribeTopicPartitionsRequestData()
                .setResponsePartitionLimit(2000)
                .setCursor(new Cursor().setTopicName("a").setPartitionIndex(Integer.MAX_VALUE));

        DescribeTopicPartitionsResponseData page = partitions(body);

        assertThat(page.topics().find("a").partitions()).isEmpty();
        assertThat(page.nextCursor()).isNull();
    }

    @Test
    void aCursorOutsideTheTopicsAskedForIsAnInvalidRequest() {
        for (Cursor cursor : List.of(
                new Cursor().setTopicName("b").setPartitionIndex(0),
                new Cursor().setTopicName("a").setPartitionIndex(-1))) {
            assertThat(partitions(named("a").setCursor(cursor))
                            .topics()
                            .find("a")
                            .errorCode())
                    .isEqualTo(Errors.INVALID_REQUEST.code());
        }
    }

    private DescribeClusterResponseData cluster(int version, DescribeClusterRequestData body) {
        return (DescribeClusterResponseData) new DescribeClusterHandler(needs(Map.of()))
                .handle(Requests.request(ApiKeys.DESCRIBE_CLUSTER, version, body), body)
                .result();
    }

    private DescribeTopicPartitionsResponseData partitions(DescribeTopicPartitionsRequestData body) {
        return partitions(body, Map.of());
    }

    private DescribeTopicPartitionsResponseData partitions(
            DescribeTopicPartitionsRequestData body, Map<String, String> settings) {
        return (DescribeTopicPartitionsResponseData) new DescribeTopicPartitionsHandler(needs(settings))
                .handle(Requests.request(ApiKeys.DESCRIBE_TOPIC_PARTITIONS, 0, body), body)
                .result();
    }

    private ClusterNeeds needs(Map<String, String> settings) {
        LiveConfig config = TestCluster.config(settings);
        return new ClusterNeeds("cluster", config, controlPlane, (topic, index) -> true, (delay, task) -> {});
    }

    private static DescribeTopicPartitionsRequestData named(String... names) {
        return new DescribeTopicPartitionsRequestData()
                .setResponsePartitionLimit(2000)
                .setTopics(Stream.of(names)
                        .map(name -> new TopicRequest().setName(name))
                        .toList());
    }
}
