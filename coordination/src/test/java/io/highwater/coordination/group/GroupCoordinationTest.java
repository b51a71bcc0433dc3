package io.highwater.coordination.group;

import static io.highwater.coordination.group.GroupClient.await;
import static io.highwater.coordination.group.GroupClient.caller;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupCoordinationTest {
    private static final Uuid ORDERS = Uuid.fromString("b8Oq4Fb5QDWJ2YkvZGwNTw");
    private static final Map<String, String> QUICK = Map.of(
            "group.initial.rebalance.delay.ms", "0",
            "group.consumer.assignment.interval.ms", "0",
            "group.coordinator.threads", "2");

    private final MemoryOffsets logs = new MemoryOffsets();
    private final List<GroupCoordination> running = new ArrayList<>();
    private FixedTopics topics = FixedTopics.none().with(ORDERS, "orders", 3);

    @AfterEach
    void stop() {
        running.forEach(GroupCoordination::close);
    }

    @Test
    void aClassicMemberJoinsSyncsAndLeaves() {
        GroupClient client = new GroupClient(leader(1), "g");

        JoinGroupResponseData joined = client.joinAsNew();

        assertThat(Errors.forCode(joined.errorCode())).isEqualTo(Errors.NONE);
        assertThat(joined.leader()).isEqualTo(joined.memberId());
        assertThat(client.syncAsLeader(joined).assignment()).containsExactly(7);
        assertThat(client.heartbeat(joined.memberId(), joined.generationId())).isEqualTo(Errors.NONE);
        assertThat(client.heartbeat(joined.memberId(), joined.generationId() + 1))
                .isEqualTo(Errors.ILLEGAL_GENERATION);
        assertThat(client.leave(joined.memberId())).isEqualTo(Errors.NONE);
        assertThat(client.heartbeat(joined.memberId(), joined.generationId())).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
    }

    @Test
    void aNewMemberIsGivenAnIdFirst() {
        GroupClient client = new GroupClient(leader(1), "g");

        JoinGroupResponseData answer = await(client.join(""));

        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.MEMBER_ID_REQUIRED);
        assertThat(answer.memberId()).startsWith("client-");
    }

    @Test
    void aConsumerGroupMemberGetsAllPartitions() {
        GroupClient client = new GroupClient(leader(1), "g");

        client.joinConsumerGroup("m", "orders");

        await().untilAsserted(() -> {
            ConsumerGroupHeartbeatResponseData answer = client.joinConsumerGroup("m", "orders");
            assertThat(answer.errorCode()).isZero();
            assertThat(answer.assignment().topicPartitions()).singleElement().satisfies(topic -> {
                assertThat(topic.topicId()).isEqualTo(ORDERS);
                assertThat(topic.partitions()).containsExactlyInAnyOrder(0, 1, 2);
            });
        });
    }

    @Test
    void aConsumerGroupSeesNewPartitions() {
        GroupCoordination groups = leader(1);
        GroupClient client = new GroupClient(groups, "g");
        client.joinConsumerGroup("m", "orders");

        topics = topics.with(ORDERS, "orders", 4);
        groups.onMetadataUpdate(topics, Set.of(ORDERS), Set.of());

        await().untilAsserted(() -> assertThat(
                        client.joinConsumerGroup("m", "orders").assignment().topicPartitions())
                .singleElement()
                .satisfies(topic -> assertThat(topic.partitions()).hasSize(4)));
    }

    @Test
    void anEpochAheadIsFenced() {
        GroupClient client = new GroupClient(leader(1), "g");
        client.joinConsumerGroup("m", "orders");

        assertThat(client.beat("m", 99).errorCode()).isEqualTo(Errors.FENCED_MEMBER_EPOCH.code());
        assertThat(client.beat("stranger", 1).errorCode()).isEqualTo(Errors.UNKNOWN_MEMBER_ID.code());
    }

    @Test
    void committedOffsetsAreFetched() {
        GroupClient client = new GroupClient(leader(1), "g");

        assertThat(client.commit("orders", ORDERS, 42)).isEqualTo(Errors.NONE);

        assertThat(client.committed("orders", ORDERS)).isEqualTo(42);
        assertThat(client.committed("unknown", Uuid.ZERO_UUID)).isEqualTo(-1);
    }

    @Test
    void aCommitIsAnsweredOnlyWhenReplicated() {
        GroupClient client = new GroupClient(leader(1), "g");
        client.commit("orders", ORDERS, 1);
        logs.replicating(false);

        CompletableFuture<Errors> commit = client.commitLater("orders", ORDERS, 2);
        await().until(() -> logs.endOffset(0) == 2);
        assertThat(client.committed("orders", ORDERS)).isEqualTo(1);
        assertThat(commit).isNotDone();
        logs.replicating(true);

        assertThat(await(commit)).isEqualTo(Errors.NONE);
        assertThat(client.committed("orders", ORDERS)).isEqualTo(2);
    }

    @Test
    void aNewCoordinatorKnowsWhatTheLogSays() {
        GroupCoordination first = leader(1);
        new GroupClient(first, "g").commit("orders", ORDERS, 42);
        JoinGroupResponseData joined = new GroupClient(first, "h").joinAsNew();
        new GroupClient(first, "h").syncAsLeader(joined);
        first.close();

        GroupCoordination second = leader(2);

        assertThat(new GroupClient(second, "g").committed("orders", ORDERS)).isEqualTo(42);
        assertThat(new GroupClient(second, "h").heartbeat(joined.memberId(), joined.generationId()))
                .isEqualTo(Errors.NONE);
    }

    @Test
    void committedOffsetsOfTransactionsFollowTheirMarkers() {
        GroupCoordination first = leader(1);
        GroupClient client = new GroupClient(first, "g");
        client.commit("orders", ORDERS, 1);
        first.close();
        Record commit = logs.records(0).get(0);
        logs.write(0, tombstone(commit));
        logs.write(0, transactional(5, commit));
        logs.write(0, marker(5, ControlRecordType.ABORT));
        logs.write(0, transactional(6, commit));

        GroupCoordination undecided = leader(2);
        assertThat(new GroupClient(undecided, "g").committed("orders", ORDERS)).isEqualTo(-1);
        undecided.close();
        logs.write(0, marker(6, ControlRecordType.COMMIT));

        assertThat(new GroupClient(leader(3), "g").committed("orders", ORDERS)).isEqualTo(1);
    }

    @Test
    void aLogWhoseRecordsAreAllGoneStillTakesCommits() {
        GroupCoordination first = leader(1);
        new GroupClient(first, "g").commit("orders", ORDERS, 42);
        first.close();
        logs.deleteAllRecords(0);

        GroupClient client = new GroupClient(leader(2), "g");

        assertThat(client.committed("orders", ORDERS)).isEqualTo(-1);
        assertThat(client.commit("orders", ORDERS, 43)).isEqualTo(Errors.NONE);
        assertThat(client.committed("orders", ORDERS)).isEqualTo(43);
    }

    @Test
    void aDeletedGroupLeavesTombstones() {
        GroupClient client = new GroupClient(leader(1), "g");
        client.commit("orders", ORDERS, 42);

        assertThat(client.delete()).isEqualTo(Errors.NONE);

        assertThat(client.committed("orders", ORDERS)).isEqualTo(-1);
        assertThat(logs.records(0))
                .last()
                .satisfies(record -> assertThat(record.hasValue()).isFalse());
        assertThat(client.delete()).isEqualTo(Errors.GROUP_ID_NOT_FOUND);
    }

    @Test
    void offsetsOfADeletedTopicAreRemoved() {
        GroupCoordination groups = leader(1);
        GroupClient client = new GroupClient(groups, "g");
        client.commit("orders", ORDERS, 42);

        topics = topics.without(ORDERS);
        groups.onMetadataUpdate(topics, Set.of(), Set.of(ORDERS));

        await().until(() -> client.committed("orders", ORDERS) == -1);
    }

    @Test
    void groupsAreListedByStateAndType() {
        GroupCoordination groups = leader(1);
        new GroupClient(groups, "simple").commit("orders", ORDERS, 1);
        new GroupClient(groups, "new").joinConsumerGroup("m", "orders");

        assertThat(list(groups, List.of(), List.of())).containsExactlyInAnyOrder("simple", "new");
        assertThat(list(groups, List.of("Empty"), List.of())).containsExactly("simple");
        assertThat(list(groups, List.of(), List.of("consumer"))).containsExactly("new");
    }

    @Test
    void groupsLedElsewhereAreSaidToBeElsewhere() {
        GroupCoordination groups = leader(1);
        new GroupClient(groups, "g").commit("orders", ORDERS, 1);

        logs.lead(0, 2);
        groups.onResignation(0, OptionalInt.of(2));

        assertThat(new GroupClient(groups, "g").fetchError()).isEqualTo(Errors.NOT_COORDINATOR);
    }

    @Test
    void partitionsElectedTogetherAreReadyTogether() {
        Map<Integer, Integer> all = new HashMap<>();
        for (int partition = 0; partition < 50; partition++) {
            all.put(partition, 1);
            logs.lead(partition, 1);
        }
        GroupCoordination groups = started(50);
        new GroupClient(groups, "g").fetchError(); // the library is loaded
        CountDownLatch slowest = logs.close(49);

        groups.onElections(all);
        List<CompletableFuture<Errors>> answers = new ArrayList<>();
        for (int group = 0; group < 500; group++) {
            answers.add(new GroupClient(groups, "group-" + group).fetchErrorLater());
        }
        slowest.countDown();

        assertThat(answers).extracting(GroupClient::await).containsOnly(Errors.NONE);
    }

    @Test
    void whatIsAskedWhileTheLibraryIsBuiltIsAskedInOrder() {
        GroupCoordination groups = started(1);
        logs.lead(0, 1);
        GroupClient client = new GroupClient(groups, "g");
        groups.onElection(0, 1);

        List<CompletableFuture<Errors>> commits = new ArrayList<>();
        for (int offset = 1; offset <= 20; offset++) {
            commits.add(client.commitLater("orders", ORDERS, offset));
        }

        assertThat(commits).extracting(GroupClient::await).containsOnly(Errors.NONE);
        assertThat(client.committed("orders", ORDERS)).isEqualTo(20);
    }

    @Test
    void aLogWithRecordsIsLoadedBesideTheOthers() {
        GroupCoordination groups = started(2);
        logs.lead(0, 1);
        logs.lead(1, 1);
        logs.write(
                1, MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(new byte[] {127, 127}, new byte[0])));
        String there = groupOf(0, 2);
        String behind = groupOf(1, 2);
        new GroupClient(groups, there).fetchError();
        CountDownLatch slow = logs.closeReads(1);

        groups.onElections(Map.of(0, 1, 1, 1));

        assertThat(new GroupClient(groups, there).fetchError()).isEqualTo(Errors.NONE);
        assertThat(new GroupClient(groups, behind).fetchError()).isEqualTo(Errors.COORDINATOR_LOAD_IN_PROGRESS);
        slow.countDown();
    }

    @Test
    void aReignUnderANewEpochGoesOn() {
        GroupCoordination groups = leader(1);
        GroupClient client = new GroupClient(groups, "g");
        client.commit("orders", ORDERS, 1);

        logs.lead(0, 2);
        groups.onElection(0, 2);

        assertThat(client.commit("orders", ORDERS, 2)).isEqualTo(Errors.NONE);
    }

    @Test
    void leadershipLostAndWonAgainReloads() {
        GroupCoordination groups = leader(1);
        GroupClient client = new GroupClient(groups, "g");
        client.commit("orders", ORDERS, 1);
        Record commit = logs.records(0).get(0);

        logs.lead(0, 2);
        logs.write(0, tombstone(commit));
        groups.onResignation(0, OptionalInt.of(2));
        logs.lead(0, 3);
        groups.onElection(0, 3);

        awaitLoaded(groups);
        assertThat(client.committed("orders", ORDERS)).isEqualTo(-1);
        assertThat(client.commit("orders", ORDERS, 5)).isEqualTo(Errors.NONE);
    }

    @Test
    void aBrokerWithoutGroupsStartsNoThread() {
        GroupCoordination groups = new GroupCoordination(1, QUICK, logs);
        running.add(groups);

        groups.startup(1);
        groups.onMetadataUpdate(topics, Set.of(ORDERS), Set.of());

        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("group-coordinator-event-processor"));
    }

    @Test
    void closingLeavesNoThread() {
        GroupCoordination groups = leader(1);
        new GroupClient(groups, "g").commit("orders", ORDERS, 1);

        groups.close();

        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().contains("group-coordinator")));
    }

    @Test
    void metricsCountCommits() {
        GroupCoordination groups = leader(1);
        new GroupClient(groups, "g").commit("orders", ORDERS, 1);

        assertThat(groups.metrics())
                .filteredOn(metric -> metric.name().equals("offset-commit-count"))
                .singleElement()
                .satisfies(metric -> assertThat(metric.value()).isEqualTo(1));
    }

    private GroupCoordination leader(int epoch) {
        GroupCoordination groups = started(1);
        logs.lead(0, epoch);
        groups.onElection(0, epoch);
        awaitLoaded(groups);
        return groups;
    }

    private GroupCoordination started(int partitions) {
        GroupCoordination groups = new GroupCoordination(1, QUICK, logs);
        running.add(groups);
        groups.startup(partitions);
        groups.onMetadataUpdate(topics, Set.of(ORDERS), Set.of());
        return groups;
    }

    private static String groupOf(int partition, int partitions) {
        return IntStream.range(0, 1000)
                .mapToObj(Integer::toString)
                .filter(id -> GroupCoordination.partitionFor(id, partitions) == partition)
                .findFirst()
                .orElseThrow();
    }

    private static void awaitLoaded(GroupCoordination groups) {
        GroupClient client = new GroupClient(groups, "any");
        await().until(() -> client.fetchError() == Errors.NONE);
    }

    private static List<String> list(GroupCoordination groups, List<String> states, List<String> types) {
        return await(groups.listGroups(
                        caller(ApiKeys.LIST_GROUPS),
                        new ListGroupsRequestData().setStatesFilter(states).setTypesFilter(types)))
                .groups()
                .stream()
                .map(ListedGroup::groupId)
                .toList();
    }

    private static MemoryRecords transactional(long producerId, Record like) {
        return MemoryRecords.withTransactionalRecords(
                Compression.NONE, producerId, (short) 0, 0, new SimpleRecord(copy(like.key()), copy(like.value())));
    }

    private static MemoryRecords tombstone(Record like) {
        return MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(copy(like.key()), null));
    }

    private static MemoryRecords marker(long producerId, ControlRecordType type) {
        return MemoryRecords.withEndTransactionMarker(producerId, (short) 0, new EndTransactionMarker(type, 0));
    }

    private static byte[] copy(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
