package io.highwater.controlplane;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SingleNodeTest {
    @TempDir
    Path directory;

    private TestNode node;

    @BeforeEach
    void start() {
        node = TestNode.combined(1, directory).start().unfenced();
    }

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void aFreshNodeFormatsItselfElectsItselfAndIsUnfenced() {
        assertThat(node.identity.newlyFormatted()).isTrue();
        assertThat(node.controlPlane.isActiveController()).isTrue();
        assertThat(node.controlPlane.controllerId()).hasValue(1);
        assertThat(node.controlPlane.lifecycle().state()).isEqualTo(BrokerLifecycle.State.RUNNING);
        awaitImage(image -> {
            BrokerView broker = image.broker(1);
            return broker != null
                    && !broker.fenced()
                    && broker.node("PLAINTEXT").isPresent();
        });
    }

    @Test
    void theFeatureLevelsAreThoseOfRelease44() {
        assertThat(node.controlPlane.image().finalizedFeatures())
                .containsAllEntriesOf(Map.of(
                        "metadata.version", (short) 33,
                        "eligible.leader.replicas.version", (short) 1,
                        "group.version", (short) 1,
                        "transaction.version", (short) 2));
    }

    @Test
    void aCreatedTopicIsInTheImageWithItsLeaderAndDirectory() {
        create("orders", 3);

        awaitImage(image -> image.topic("orders") != null);
        PartitionView partition = requireNonNull(node.controlPlane.image().partition("orders", 2));
        assertThat(partition.leader()).isEqualTo(1);
        assertThat(partition.inSyncReplicas()).containsExactly(1);
        assertThat(partition.directoryOf(1))
                .isEqualTo(node.identity.directories().get(0).id());
        assertThat(node.controlPlane.image().topic(partition.topicId()))
                .isSameAs(node.controlPlane.image().topic("orders"));
    }

    @Test
    void aSecondTopicOfTheSameNameIsRefused() {
        create("orders", 1);

        CreateTopicsResponseData answer = ask(topic("orders", 1));

        assertThat(Errors.forCode(answer.topics().find("orders").errorCode())).isEqualTo(Errors.TOPIC_ALREADY_EXISTS);
    }

    @Test
    void aTopicNamedTwiceInOneRequestIsRefusedAndTheOthersAreCreated() {
        CreateTopicsRequestData request = topic("twice", 1);
        request.topics().mustAdd(creatable("twice", 2));
        request.topics().mustAdd(creatable("once", 1));

        CreateTopicsResponseData answer = ask(request);

        assertThat(Errors.forCode(answer.topics().find("once").errorCode())).isEqualTo(Errors.NONE);
        assertThat(answer.topics().find("twice").errorMessage()).isEqualTo("Duplicate topic name.");
    }

    @Test
    void aTopicIsDeletedByIdAndADuplicateIdIsRefused() {
        Uuid id = create("gone", 1);
        Uuid other = create("stays", 1);
        DeleteTopicsRequestData request = new DeleteTopicsRequestData().setTimeoutMs(10_000);
        request.topics()
                .add(new DeleteTopicsRequestData.DeleteTopicState()
                        .setName(null)
                        .setTopicId(id));
        request.topics()
                .add(new DeleteTopicsRequestData.DeleteTopicState()
                        .setName(null)
                        .setTopicId(other));
        request.topics()
                .add(new DeleteTopicsRequestData.DeleteTopicState()
                        .setName(null)
                        .setTopicId(other));

        DeleteTopicsResponseData answer = node.ask(ApiKeys.DELETE_TOPICS, request, DeleteTopicsResponseData.class);

        assertThat(answer.responses()).hasSize(2);
        answer.responses()
                .forEach(result -> assertThat(Errors.forCode(result.errorCode()))
                        .isEqualTo(result.topicId().equals(id) ? Errors.NONE : Errors.INVALID_REQUEST));
        awaitImage(image -> image.topic("gone") == null && image.topic("stays") != null);
    }

    @Test
    void partitionsAreAdded() {
        create("grows", 1);
        CreatePartitionsRequestData request = new CreatePartitionsRequestData().setTimeoutMs(10_000);
        request.topics()
                .add(new CreatePartitionsRequestData.CreatePartitionsTopic()
                        .setName("grows")
                        .setCount(4)
                        .setAssignments(null));

        CreatePartitionsResponseData answer =
                node.ask(ApiKeys.CREATE_PARTITIONS, request, CreatePartitionsResponseData.class);

        assertThat(Errors.forCode(answer.results().get(0).errorCode())).isEqualTo(Errors.NONE);
        awaitImage(image -> image.partition("grows", 3) != null);
    }

    @Test
    void aTopicSettingIsChangedAndABadOneIsRefusedWithKafkasSentence() {
        create("tuned", 1);

        assertThat(alter("retention.ms", "1000").errorCode()).isEqualTo(Errors.NONE.code());
        IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse bad = alter("retention.ms", "soon");
        IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse unknown = alter("retention.msec", "1");

        assertThat(Errors.forCode(bad.errorCode())).isEqualTo(Errors.INVALID_CONFIG);
        assertThat(bad.errorMessage())
                .isEqualTo("Invalid value soon for configuration retention.ms: Not a number of type LONG");
        assertThat(Errors.forCode(unknown.errorCode())).isEqualTo(Errors.INVALID_CONFIG);
        assertThat(unknown.errorMessage()).isEqualTo("Unknown topic config name: retention.msec");
        awaitImage(image -> "1000"
                .equals(image.config(new ConfigResource(ConfigResource.Type.TOPIC, "tuned"))
                        .get("retention.ms")));
    }

    @Test
    void aListenerIsToldEverythingFirstAndThenEachChange() {
        create("before", 2);
        awaitImage(image -> image.topic("before") != null);
        List<ImageChange> changes = new CopyOnWriteArrayList<>();

        TestNode.await(node.controlPlane.listen(changes::add));
        Uuid id = create("after", 1);
        await().until(() -> changes.size() >= 2);
        DeleteTopicsRequestData delete = new DeleteTopicsRequestData().setTimeoutMs(10_000);
        delete.topics().add(new DeleteTopicsRequestData.DeleteTopicState().setName("after"));
        node.ask(ApiKeys.DELETE_TOPICS, delete, DeleteTopicsResponseData.class);
        await().until(() -> !changes.get(changes.size() - 1).deletedTopics().isEmpty());

        ImageChange first = changes.get(0);
        assertThat(first.before().offset()).isEqualTo(-1);
        assertThat(first.changedPartitions()).hasSize(2).allMatch(change -> change.before() == null);
        assertThat(first.changedBrokers()).contains(1);
        assertThat(changes.get(1).changedPartitions())
                .singleElement()
                .satisfies(change -> assertThat(change.after().topicId()).isEqualTo(id));
        assertThat(changes.get(changes.size() - 1).deletedTopics())
                .singleElement()
                .satisfies(topic -> assertThat(topic.name()).isEqualTo("after"));
    }

    @Test
    void aListenerThatThrowsIsToldTheNextChange() {
        List<ImageChange> changes = new CopyOnWriteArrayList<>();
        TestNode.await(node.controlPlane.listen(change -> {
            changes.add(change);
            throw new IllegalStateException("a listener's fault, on purpose");
        }));

        create("next", 1);

        await().until(() -> changes.stream().anyMatch(change -> change.after().topic("next") != null));
        assertThat(node.fault).hasNullValue();
    }

    @Test
    void producerIdBlocksDoNotOverlap() {
        ProducerIdBlock first = TestNode.await(node.controlPlane.allocateProducerIds());
        ProducerIdBlock second = TestNode.await(node.controlPlane.allocateProducerIds());

        assertThat(first.size()).isEqualTo(1000);
        assertThat(second.firstId()).isEqualTo(first.firstId() + first.size());
    }

    @Test
    void everythingIsThereAgainAfterACleanRestart() {
        create("orders", 2);
        long epoch = node.controlPlane.lifecycle().brokerEpoch();
        TestNode.await(node.controlPlane.lifecycle().beginControlledShutdown());
        node.close();

        node = TestNode.combined(1, directory).start().registered(epoch);
        TestNode.await(node.controlPlane.lifecycle().readyToUnfence());

        assertThat(node.identity.newlyFormatted()).isFalse();
        assertThat(node.controlPlane.lifecycle().brokerEpoch()).isGreaterThan(epoch);
        awaitImage(image -> leads(image.partition("orders", 1)));
        assertThat(requireNonNull(node.controlPlane.image().partition("orders", 1))
                        .recovering())
                .isFalse();
    }

    @Test
    void aCrashedLoneNodeDoesNotWaitForItsOwnSessionToEnd() {
        create("orders", 1);
        long before = System.nanoTime();
        node.close();

        node = TestNode.combined(1, directory).start().unfenced();

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(TestNode.SESSION_TIMEOUT);
        awaitImage(image -> leads(image.partition("orders", 0)));
        assertThat(requireNonNull(node.controlPlane.image().partition("orders", 0))
                        .recovering())
                .isTrue();
    }

    private static boolean leads(@Nullable PartitionView partition) {
        return partition != null && partition.leader() == 1;
    }

    private void awaitImage(java.util.function.Predicate<ClusterImage> condition) {
        await().until(() -> condition.test(node.controlPlane.image()));
    }

    private Uuid create(String name, int partitions) {
        CreateTopicsResponseData answer = ask(topic(name, partitions));
        CreateTopicsResponseData.CreatableTopicResult result = answer.topics().find(name);
        assertThat(result.errorMessage()).isNull();
        return result.topicId();
    }

    private CreateTopicsResponseData ask(CreateTopicsRequestData request) {
        return node.ask(ApiKeys.CREATE_TOPICS, request, CreateTopicsResponseData.class);
    }

    private IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse alter(String name, String value) {
        IncrementalAlterConfigsRequestData.AlterConfigsResource resource =
                new IncrementalAlterConfigsRequestData.AlterConfigsResource()
                        .setResourceType(ConfigResource.Type.TOPIC.id())
                        .setResourceName("tuned");
        resource.configs()
                .add(new IncrementalAlterConfigsRequestData.AlterableConfig()
                        .setName(name)
                        .setValue(value)
                        .setConfigOperation(AlterConfigOp.OpType.SET.id()));
        IncrementalAlterConfigsRequestData request = new IncrementalAlterConfigsRequestData();
        request.resources().add(resource);
        return node.ask(ApiKeys.INCREMENTAL_ALTER_CONFIGS, request, IncrementalAlterConfigsResponseData.class)
                .responses()
                .get(0);
    }

    static CreateTopicsRequestData topic(String name, int partitions) {
        CreateTopicsRequestData request = new CreateTopicsRequestData().setTimeoutMs(10_000);
        request.topics().mustAdd(creatable(name, partitions));
        return request;
    }

    private static CreateTopicsRequestData.CreatableTopic creatable(String name, int partitions) {
        return new CreateTopicsRequestData.CreatableTopic()
                .setName(name)
                .setNumPartitions(partitions)
                .setReplicationFactor((short) 1);
    }
}
