package io.highwater.broker.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highwater.broker.group.GroupFeed;
import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.ImageBuilder;
import io.highwater.controlplane.ImageChange;
import io.highwater.controlplane.PartitionChange;
import io.highwater.controlplane.PartitionView;
import io.highwater.controlplane.TopicView;
import io.highwater.coordination.group.GroupCoordination;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestPartition;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The group handlers over the real coordinator and one offsets partition in memory. */
class GroupHandlersTest {
    private static final String GROUP = "g";
    private static final Uuid ORDERS = Uuid.fromString("b8Oq4Fb5QDWJ2YkvZGwNTw");
    private static final Uuid OFFSETS = Uuid.fromString("VxtMT8GeQUWyPPZPM2VzMQ");
    private static final Uuid NOBODY = Uuid.fromString("mJ0cYl1xRFSPL3AumyKPRA");

    private final GroupCoordination groups =
            new GroupCoordination(1, Map.of("group.initial.rebalance.delay.ms", "0"), new OneOffsetsPartition());
    private final List<CreateTopicsRequestData> created = new ArrayList<>();
    private final OffsetsTopic offsetsTopic = new OffsetsTopic(
            groups,
            request -> {
                created.add(request);
                CreateTopicsResponseData answer = new CreateTopicsResponseData();
                answer.topics()
                        .add(new CreatableTopicResult()
                                .setName(OffsetsTopic.NAME)
                                .setErrorCode(Errors.INVALID_REPLICATION_FACTOR.code())
                                .setErrorMessage("too few brokers"));
                return CompletableFuture.completedFuture(answer);
            },
            1000);

    private ClusterImage image = cluster()
            .topic(topic("orders", ORDERS, 2))
            .topic(topic(OffsetsTopic.NAME, OFFSETS, 1))
            .build();

    @BeforeEach
    void lead() {
        groups.startup(1);
        GroupFeed feed = new GroupFeed(groups);
        List<PartitionChange> all = new ArrayList<>();
        image.topics().forEach(topic -> topic.partitions().forEach(p -> all.add(new PartitionChange(null, p))));
        feed.onChange(new ImageChange(ClusterImage.empty(), image, List.of(), all, Set.of(), Set.of(1), true, false));
        feed.onLeading(new TopicPartition(OffsetsTopic.NAME, 0), 0);
        feed.onRolesGiven();
        await().until(() -> fetch(8, GROUP, null).errorCode() == Errors.NONE.code());
    }

    @AfterEach
    void close() {
        groups.close();
    }

    @Test
    void aCoordinatorIsTheLeaderOfTheOffsetsPartition() {
        FindCoordinatorResponseData many = find(4, 0, "g", "h");
        FindCoordinatorResponseData one = find(3, 0, "g");

        assertThat(many.coordinators()).hasSize(2).allSatisfy(found -> {
            assertThat(found.errorCode()).isZero();
            assertThat(found.nodeId()).isEqualTo(1);
            assertThat(found.port()).isEqualTo(9092);
        });
        assertThat(one.host()).isEqualTo("localhost");
        assertThat(one.nodeId()).isEqualTo(1);
    }

    @Test
    void theOffsetsTopicIsCreatedWhenAGroupIsFirstLookedFor() {
        image = cluster().build();

        FindCoordinatorResponseData answer = find(4, 0, "g");

        assertThat(answer.coordinators().get(0).errorCode()).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE.code());
        assertThat(created).singleElement().satisfies(request -> {
            assertThat(request.topics().find(OffsetsTopic.NAME).numPartitions()).isEqualTo(50);
            assertThat(request.topics()
                            .find(OffsetsTopic.NAME)
                            .configs()
                            .find("cleanup.policy")
                            .value())
                    .isEqualTo("compact");
        });
    }

    @Test
    void whyTheOffsetsTopicCannotBeCreatedIsTold() {
        image = cluster().build();
        find(4, 0, "g");

        FindCoordinatorResponseData answer = find(4, 0, "g");

        assertThat(answer.coordinators().get(0).errorMessage()).isEqualTo("too few brokers");
    }

    @Test
    void otherCoordinatorsAreRefusedForGood() {
        assertThat(find(4, 1, "tx").coordinators().get(0).errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
        assertThat(find(6, 2, "share").coordinators().get(0).errorCode()).isEqualTo(Errors.INVALID_REQUEST.code());
        assertThat(find(4, 9, "x").coordinators().get(0).errorCode()).isEqualTo(Errors.INVALID_REQUEST.code());
    }

    @Test
    void offsetsOfKnownPartitionsAreCommittedAndTheOthersNamed() {
        OffsetCommitResponseData answer =
                commit(9, commitTopic("orders", Uuid.ZERO_UUID, 0, 7), commitTopic("nothing", Uuid.ZERO_UUID, 0));

        assertThat(errorOf(answer, "orders", 0)).isEqualTo(Errors.NONE);
        assertThat(errorOf(answer, "orders", 7)).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(errorOf(answer, "nothing", 0)).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void topicsGoByIdFromVersion10() {
        OffsetCommitResponseData answer = commit(10, commitTopic("", ORDERS, 0), commitTopic("", NOBODY, 0));

        assertThat(answer.topics())
                .hasSize(2)
                .allSatisfy(topic -> assertThat(
                                Errors.forCode(topic.partitions().get(0).errorCode()))
                        .isEqualTo(topic.topicId().equals(ORDERS) ? Errors.NONE : Errors.UNKNOWN_TOPIC_ID));
        OffsetFetchResponseGroup fetched = fetch(
                10,
                GROUP,
                List.of(
                        new OffsetFetchRequestTopics().setTopicId(ORDERS).setPartitionIndexes(List.of(0)),
                        new OffsetFetchRequestTopics().setTopicId(NOBODY).setPartitionIndexes(List.of(0))));
        assertThat(fetched.topics()).hasSize(2);
        assertThat(fetched.topics().get(0).partitions().get(0).committedOffset())
                .isEqualTo(42);
        assertThat(fetched.topics().get(1).partitions().get(0).errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_ID.code());
        assertThat(fetch(10, GROUP, null).topics())
                .singleElement()
                .satisfies(topic -> assertThat(topic.topicId()).isEqualTo(ORDERS));
    }

    @Test
    void oneGroupIsAnsweredAtTheTopBeforeVersion8() {
        commit(9, commitTopic("orders", Uuid.ZERO_UUID, 0));

        OffsetFetchResponseData answer = ask(
                OffsetFetchResponseData.class,
                ApiKeys.OFFSET_FETCH,
                7,
                new OffsetFetchHandler(groups, () -> image),
                new OffsetFetchRequestData()
                        .setGroupId(GROUP)
                        .setTopics(List.of(
                                new OffsetFetchRequestTopic().setName("orders").setPartitionIndexes(List.of(0, 1)))));

        assertThat(answer.groups()).isEmpty();
        assertThat(answer.topics().get(0).partitions())
                .extracting(partition -> partition.committedOffset())
                .containsExactly(42L, -1L);
    }

    @Test
    void offsetsOfUnknownTopicsCannotBeDeleted() {
        commit(9, commitTopic("orders", Uuid.ZERO_UUID, 0));
        OffsetDeleteRequestData request = new OffsetDeleteRequestData().setGroupId(GROUP);
        for (String name : List.of("orders", "nothing")) {
            request.topics()
                    .add(new OffsetDeleteRequestTopic()
                            .setName(name)
                            .setPartitions(List.of(new OffsetDeleteRequestPartition().setPartitionIndex(0))));
        }

        OffsetDeleteResponseData answer = ask(
                OffsetDeleteResponseData.class,
                ApiKeys.OFFSET_DELETE,
                0,
                new OffsetDeleteHandler(groups, () -> image),
                request);

        assertThat(answer.topics().find("orders").partitions().find(0).errorCode())
                .isZero();
        assertThat(answer.topics().find("nothing").partitions().find(0).errorCode())
                .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
    }

    @Test
    void theErrorOfAnOldLeaveIsTheAnswers() {
        LeaveGroupRequestData request =
                new LeaveGroupRequestData().setGroupId(GROUP).setMemberId("stranger");

        LeaveGroupResponseData old =
                ask(LeaveGroupResponseData.class, ApiKeys.LEAVE_GROUP, 2, new LeaveGroupHandler(groups), request);

        assertThat(old.errorCode()).isEqualTo(Errors.UNKNOWN_MEMBER_ID.code());
        assertThat(old.members()).isEmpty();
    }

    @Test
    void syncWithoutAProtocolIsInconsistentFromVersion5() {
        SyncGroupRequestData request =
                new SyncGroupRequestData().setGroupId(GROUP).setMemberId("m").setGenerationId(1);

        SyncGroupResponseData answer =
                ask(SyncGroupResponseData.class, ApiKeys.SYNC_GROUP, 5, new SyncGroupHandler(groups), request);
        SyncGroupResponseData older =
                ask(SyncGroupResponseData.class, ApiKeys.SYNC_GROUP, 4, new SyncGroupHandler(groups), request);

        assertThat(answer.errorCode()).isEqualTo(Errors.INCONSISTENT_GROUP_PROTOCOL.code());
        assertThat(older.errorCode()).isEqualTo(Errors.UNKNOWN_MEMBER_ID.code());
    }

    @Test
    void theConsumerProtocolNeedsItsFeature() {
        ConsumerGroupHeartbeatRequestData request = new ConsumerGroupHeartbeatRequestData()
                .setGroupId("new")
                .setMemberId("m")
                .setRebalanceTimeoutMs(1000)
                .setSubscribedTopicNames(List.of("orders"))
                .setTopicPartitions(List.of());
        ConsumerGroupHeartbeatHandler handler =
                new ConsumerGroupHeartbeatHandler(groups, new ConsumerProtocol(() -> image, true));

        ConsumerGroupHeartbeatResponseData without =
                ask(ConsumerGroupHeartbeatResponseData.class, ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1, handler, request);
        image = cluster()
                .topic(topic("orders", ORDERS, 2))
                .feature("group.version", 1)
                .build();
        ConsumerGroupHeartbeatResponseData with =
                ask(ConsumerGroupHeartbeatResponseData.class, ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1, handler, request);

        assertThat(without.errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
        assertThat(with.errorCode()).isZero();
    }

    private FindCoordinatorResponseData find(int version, int keyType, String... keys) {
        return ask(
                FindCoordinatorResponseData.class,
                ApiKeys.FIND_COORDINATOR,
                version,
                new FindCoordinatorHandler(() -> image, offsetsTopic),
                new FindCoordinatorRequestData()
                        .setKey(keys[0])
                        .setCoordinatorKeys(List.of(keys))
                        .setKeyType((byte) keyType));
    }

    private OffsetCommitResponseData commit(int version, OffsetCommitRequestTopic... topics) {
        return ask(
                OffsetCommitResponseData.class,
                ApiKeys.OFFSET_COMMIT,
                version,
                new OffsetCommitHandler(groups, () -> image),
                new OffsetCommitRequestData().setGroupId(GROUP).setTopics(List.of(topics)));
    }

    private static OffsetCommitRequestTopic commitTopic(String name, Uuid id, int... partitions) {
        return new OffsetCommitRequestTopic()
                .setName(name)
                .setTopicId(id)
                .setPartitions(IntStream.of(partitions)
                        .mapToObj(partition -> new OffsetCommitRequestPartition()
                                .setPartitionIndex(partition)
                                .setCommittedOffset(42))
                        .toList());
    }

    private static Errors errorOf(OffsetCommitResponseData answer, String topic, int partition) {
        return answer.topics().stream()
                .filter(entry -> entry.name().equals(topic))
                .flatMap(entry -> entry.partitions().stream())
                .filter(entry -> entry.partitionIndex() == partition)
                .map(entry -> Errors.forCode(entry.errorCode()))
                .findFirst()
                .orElseThrow();
    }

    private OffsetFetchResponseGroup fetch(int version, String group, @Nullable List<OffsetFetchRequestTopics> topics) {
        OffsetFetchResponseData answer = ask(
                OffsetFetchResponseData.class,
                ApiKeys.OFFSET_FETCH,
                version,
                new OffsetFetchHandler(groups, () -> image),
                new OffsetFetchRequestData()
                        .setGroups(List.of(
                                new OffsetFetchRequestGroup().setGroupId(group).setTopics(topics))));
        return answer.groups().get(0);
    }

    private static <Q extends ApiMessage, A extends ApiMessage> A ask(
            Class<A> answerType, ApiKeys api, int version, ApiHandler<Q> handler, Q body) {
        Client client = new Client(
                "c",
                ListenerName.normalised("PLAINTEXT"),
                SecurityProtocol.PLAINTEXT,
                false,
                KafkaPrincipal.ANONYMOUS,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711),
                Promise.<Void>promise().future());
        RequestHeaderData header = new RequestHeaderData()
                .setRequestApiKey(api.id)
                .setRequestApiVersion((short) version)
                .setClientId("client");
        Future<@Nullable ApiMessage> answer =
                handler.handle(new ApiRequest(api, header, body, 0, client, System.nanoTime(), () -> {}), body);
        return answerType.cast(answer.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(20, TimeUnit.SECONDS)
                .join());
    }

    private static ImageBuilder cluster() {
        return ClusterImage.builder()
                .offset(1)
                .broker(new BrokerView(
                        1,
                        1,
                        Uuid.ONE_UUID,
                        false,
                        false,
                        null,
                        Map.of("PLAINTEXT", new Endpoint("PLAINTEXT", SecurityProtocol.PLAINTEXT, "localhost", 9092)),
                        List.of()));
    }

    private static TopicView topic(String name, Uuid id, int partitions) {
        return new TopicView(
                name,
                id,
                IntStream.range(0, partitions)
                        .mapToObj(index -> new PartitionView(
                                name,
                                id,
                                index,
                                1,
                                0,
                                0,
                                List.of(1),
                                List.of(1),
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(Uuid.ONE_UUID),
                                false))
                        .toList());
    }
}
