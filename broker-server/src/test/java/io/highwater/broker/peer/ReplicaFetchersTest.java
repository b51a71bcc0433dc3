package io.highwater.broker.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.LiveConfig;
import io.highwater.broker.partition.Clock;
import io.highwater.broker.partition.ManualClock;
import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.ReplicationThrottle;
import io.highwater.broker.partition.TestNode;
import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.Detour;
import io.netty.channel.ChannelOption;
import io.vertx.core.Vertx;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.EpochEndOffset;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A follower with a real log, its fetcher, and a leader on loopback that the test plays. */
class ReplicaFetchersTest {
    private static final int LEADER = 2;
    private static final int OTHER_LEADER = 3;
    private static final int SESSION = 77;
    private static final long BROKER_EPOCH = 5;
    private static final int EPOCH = 4;

    @TempDir
    Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final ManualClock rateClock = new ManualClock();
    private final Map<String, String> listed = new ConcurrentHashMap<>();
    private final AtomicInteger looksBeforeRegistration = new AtomicInteger();
    private volatile long bytesPerSecond = ReplicationThrottle.UNLIMITED;
    private final AtomicBoolean failsOnce = new AtomicBoolean();
    private TestNode node;
    private ScriptedLeader leader;
    private ReplicaFetchers fetchers;
    private Uuid topicId;
    private Partition partition;

    @BeforeEach
    void start() throws Exception {
        node = new TestNode(directory);
        leader = new ScriptedLeader();
        startFetchers();
        topicId = node.create("orders", 1).id();
        partition = Objects.requireNonNull(node.partitions.lookup("orders", 0).partition());
    }

    private static BrokerConfig config() {
        return BrokerConfig.of(Map.of(
                "process.roles", "broker,controller",
                "node.id", "1",
                "controller.listener.names", "CONTROLLER",
                "listeners", "PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:0",
                "controller.quorum.bootstrap.servers", "127.0.0.1:9093",
                "replica.fetch.backoff.ms", "500"));
    }

    private void startFetchers() {
        fetchers = new ReplicaFetchers(
                vertx,
                new LiveConfig(config()),
                this::cluster,
                () -> looksBeforeRegistration.getAndDecrement() > 0 ? -1 : BROKER_EPOCH,
                new ReplicationThrottle(TestNode.ID, this::bytesPerSecond, listed::get, 11, 1_000, rateClock),
                Detour.NONE,
                Clock.SYSTEM);
        node.feed = fetchers;
    }

    private long bytesPerSecond() {
        if (failsOnce.getAndSet(false)) {
            throw new IllegalStateException("an error in this broker");
        }
        return bytesPerSecond;
    }

    @AfterEach
    void stop() throws Exception {
        fetchers.close();
        node.close();
        leader.close();
        vertx.close().await();
    }

    /** {@code replica.socket.receive.buffer.bytes}. A system may give more than it is asked for: Linux doubles it. */
    @Test
    void aSocketToALeaderHasTheReceiveBufferThatIsSet() throws Exception {
        int wanted = PeerSettings.of(config()).receiveBufferBytes();
        assertThat(wanted).isEqualTo(65_536);
        NetClient client = vertx.createNetClient(ReplicaFetchers.sockets(PeerSettings.of(config())));

        NetSocketInternal socket = (NetSocketInternal) client.connect(leader.port(), "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);

        assertThat(socket.channelHandlerContext().channel().config().getOption(ChannelOption.SO_RCVBUF))
                .isIn(wanted, 2 * wanted);
    }

    @Test
    void theFirstFetchSaysEverythingAndTheNextOnlyWhatIsNew() throws IOException {
        follow(LEADER, EPOCH);

        FetchRequestData first = leader.nextFetch();
        leader.answer(answer(records(0, "a", "b"), 1));
        FetchRequestData second = leader.nextFetch();
        leader.answer(answer(MemoryRecords.EMPTY, 2));
        FetchRequestData third = leader.nextFetch();
        leader.answer(new FetchResponseData().setSessionId(SESSION));
        FetchRequestData fourth = leader.nextFetch();

        assertThat(leader.version()).isEqualTo((short) 18);
        assertThat(first.sessionEpoch()).isZero();
        assertThat(first.replicaState().replicaId()).isEqualTo(TestNode.ID);
        assertThat(first.replicaState().replicaEpoch()).isEqualTo(BROKER_EPOCH);
        assertThat(first.maxWaitMs()).isEqualTo(500);
        assertThat(first.minBytes()).isEqualTo(1);
        assertThat(first.maxBytes()).isEqualTo(10 << 20);
        assertThat(asked(first).partitionMaxBytes()).isEqualTo(1 << 20);
        assertThat(asked(first).fetchOffset()).isZero();
        assertThat(asked(first).currentLeaderEpoch()).isEqualTo(EPOCH);
        assertThat(second.sessionId()).isEqualTo(SESSION);
        assertThat(second.sessionEpoch()).isEqualTo(1);
        assertThat(asked(second).fetchOffset()).isEqualTo(2);
        assertThat(asked(second).lastFetchedEpoch()).isEqualTo(EPOCH);
        assertThat(asked(second).highWatermark()).isEqualTo(1);
        assertThat(asked(third).highWatermark()).isEqualTo(2);
        assertThat(fourth.sessionEpoch()).isEqualTo(3);
        assertThat(fourth.topics()).isEmpty();
        assertThat(partition.logEndOffset()).isEqualTo(2);
        assertThat(partition.highWatermark()).isEqualTo(2);
    }

    @Test
    void whoIsNotRegisteredYetVouchesForNothing() throws IOException {
        looksBeforeRegistration.set(3);
        follow(LEADER, EPOCH);

        FetchRequestData first = leader.nextFetch();

        assertThat(first.replicaState().replicaEpoch()).isEqualTo(BROKER_EPOCH);
    }

    @Test
    void theHighWatermarkIsAtMostItsOwnLogEnd() throws IOException {
        follow(LEADER, EPOCH);

        leader.nextFetch();
        leader.answer(answer(records(0, "a"), 100));
        leader.nextFetch();

        assertThat(partition.highWatermark()).isEqualTo(1);
    }

    @Test
    void aForgottenSessionBeginsAnew() throws IOException {
        follow(LEADER, EPOCH);
        leader.nextFetch();
        leader.answer(answer(records(0, "a"), 1));
        leader.nextFetch();

        leader.answer(new FetchResponseData().setErrorCode(Errors.FETCH_SESSION_ID_NOT_FOUND.code()));
        FetchRequestData again = leader.nextFetch();

        assertThat(again.sessionId()).isZero();
        assertThat(again.sessionEpoch()).isZero();
        assertThat(asked(again).fetchOffset()).isEqualTo(1);
    }

    @Test
    void aSessionOutOfStepIsClosedByItsSuccessor() throws IOException {
        follow(LEADER, EPOCH);
        leader.nextFetch();
        leader.answer(answer(records(0, "a"), 1));
        leader.nextFetch();

        leader.answer(new FetchResponseData().setErrorCode(Errors.INVALID_FETCH_SESSION_EPOCH.code()));
        FetchRequestData again = leader.nextFetch();

        assertThat(again.sessionId()).isEqualTo(SESSION);
        assertThat(again.sessionEpoch()).isZero();
        assertThat(asked(again).fetchOffset()).isEqualTo(1);
    }

    @Test
    void aLogThatWentAstrayIsCutWhereTheLeaderSays() throws IOException {
        follow(LEADER, EPOCH);
        leader.nextFetch();
        leader.answer(answer(records(0, "a", "b", "c"), 1));
        leader.nextFetch();

        leader.answer(answer(new PartitionData()
                .setPartitionIndex(0)
                .setHighWatermark(1)
                .setLogStartOffset(0)
                .setDivergingEpoch(new EpochEndOffset().setEpoch(EPOCH).setEndOffset(1))
                .setRecords(MemoryRecords.EMPTY)));
        FetchRequestData after = leader.nextFetch();

        assertThat(asked(after).fetchOffset()).isEqualTo(1);
        assertThat(partition.logEndOffset()).isEqualTo(1);
    }

    @Test
    void whoFellBehindTheLeadersLogStartsAnewThere() throws IOException {
        follow(LEADER, EPOCH);
        leader.nextFetch();
        leader.answer(answer(records(0, "a"), 1));
        leader.nextFetch();

        leader.answer(refused(Errors.OFFSET_OUT_OF_RANGE));
        ListOffsetsRequestData latest = leader.nextListOffsets();
        leader.answer(offset(50));
        ListOffsetsRequestData earliest = leader.nextListOffsets();
        leader.answer(offset(40));
        FetchRequestData after = leader.nextFetch();

        assertThat(latest.topics().get(0).partitions().get(0).timestamp()).isEqualTo(-1);
        assertThat(earliest.topics().get(0).partitions().get(0).timestamp()).isEqualTo(-2);
        assertThat(asked(after).fetchOffset()).isEqualTo(40);
        assertThat(partition.logStartOffset()).isEqualTo(40);
    }

    @Test
    void theThrottleHoldsBackTheListedReplicasThatLagAndNoOthers() throws IOException {
        listed.put("orders", "0:" + TestNode.ID);
        bytesPerSecond = 1;
        Uuid others = followBoth();

        leader.answer(answer(records(0, "a", "b"), 100));
        FetchRequestData without = leader.nextFetch();
        leader.answer(answer(others, records(0, "x"), 100));
        FetchRequestData others1 = leader.nextFetch();
        rateClock.advance(60_000);
        leader.answer(answer(others, records(1, "y"), 100));
        FetchRequestData again = leader.nextFetch();

        assertThat(without.forgottenTopicsData()).hasSize(1);
        assertThat(without.forgottenTopicsData().get(0).topicId()).isEqualTo(topicId);
        assertThat(without.topics()).isEmpty();
        assertThat(without.maxWaitMs()).isLessThan(500);
        assertThat(others1.topics()).extracting(FetchTopic::topicId).containsExactly(others);
        assertThat(others1.topics().get(0).partitions().get(0).fetchOffset()).isEqualTo(1);
        assertThat(again.topics()).extracting(FetchTopic::topicId).containsExactlyInAnyOrder(topicId, others);
        assertThat(partition.logEndOffset()).isEqualTo(2);
    }

    @Test
    void aThrottledReplicaThatHasCaughtUpStaysInSync() throws IOException {
        listed.put("orders", "*");
        bytesPerSecond = 1;
        followBoth();

        leader.answer(answer(records(0, "a", "b"), 2));
        FetchRequestData next = leader.nextFetch();

        assertThat(asked(next).fetchOffset()).isEqualTo(2);
        assertThat(next.forgottenTopicsData()).isEmpty();
    }

    /** In a session that has another topic, too; the fetch that waits for its answer has asked for orders. */
    private Uuid followBoth() throws IOException {
        Uuid others = node.create("others", 1).id();
        stayWithLeader(others);
        leader.nextFetch();
        follow(LEADER, EPOCH);
        leader.answer(new FetchResponseData().setSessionId(SESSION));
        asked(leader.nextFetch());
        return others;
    }

    @Test
    void aDamagedBatchIsNeverAppendedAndAskedForAgain() throws IOException {
        follow(LEADER, EPOCH);
        leader.nextFetch();
        MemoryRecords damaged = records(0, "a");
        damaged.buffer().put(damaged.sizeInBytes() - 1, (byte) 99);

        leader.answer(answer(damaged, 1));
        leader.nextFetch();

        assertThat(partition.logEndOffset()).isZero();
        leader.answer(answer(records(0, "a"), 1));
        leader.nextFetch();
        assertThat(partition.logEndOffset()).isEqualTo(1);
    }

    @Test
    void aLostConnectionIsTakenUpAgainWithANewSession() throws IOException {
        follow(LEADER, EPOCH);
        leader.nextFetch();
        leader.answer(answer(records(0, "a"), 1));
        leader.nextFetch();

        leader.hangUp();
        FetchRequestData again = leader.nextFetch();

        assertThat(leader.connections).isEqualTo(2);
        assertThat(again.sessionEpoch()).isZero();
        assertThat(asked(again).fetchOffset()).isEqualTo(1);
    }

    @Test
    void whatFailsWithEachAnswerIsTriedLessAndLessOften() throws IOException {
        follow(LEADER, EPOCH);
        leader.nextFetch();
        long before = System.nanoTime();

        for (int i = 0; i < 5; i++) {
            failsOnce.set(true);
            leader.answer(answer(records(0, "a"), 1));
            leader.hangUp();
            leader.nextFetch();
        }

        // 20, 40, 80, 160 and 320 ms.
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(620));
        assertThat(leader.connections).isEqualTo(6);
        assertThat(partition.logEndOffset()).isZero();
    }

    @Test
    void aTurnThatFailsIsFollowedByAnother() throws IOException {
        failsOnce.set(true);

        follow(LEADER, EPOCH);
        leader.nextFetch();

        assertThat(failsOnce).isFalse();
    }

    @Test
    void aRefusedPartitionIsAskedForAgain() throws IOException {
        follow(LEADER, EPOCH);
        leader.nextFetch();

        leader.answer(refused(Errors.UNKNOWN_LEADER_EPOCH));
        leader.nextFetch();
        leader.answer(answer(records(0, "a"), 1));
        leader.nextFetch();

        assertThat(partition.logEndOffset()).isEqualTo(1);
    }

    @Test
    void whoIsFencedWaitsForTheController() throws IOException {
        follow(LEADER, EPOCH);
        leader.nextFetch();
        leader.answer(refused(Errors.FENCED_LEADER_EPOCH));

        follow(LEADER, EPOCH + 1);
        FetchRequestData after = leader.nextFetch();

        assertThat(asked(after).currentLeaderEpoch()).isEqualTo(EPOCH + 1);
    }

    @Test
    void anAnswerOfAFormerLeaderChangesNothing() throws IOException {
        follow(LEADER, EPOCH);
        leader.nextFetch();
        stayWithLeader(node.create("others", 1).id());
        leader.answer(answer(MemoryRecords.EMPTY, 0));
        leader.nextFetch();
        follow(OTHER_LEADER, EPOCH + 1);

        leader.answer(answer(records(0, "a"), 1));

        leader.nextFetch();
        assertThat(partition.logEndOffset()).isZero();
    }

    @Test
    void aDeletedPartitionIsNotFetchedAnyMore() throws IOException {
        follow(LEADER, EPOCH);
        leader.nextFetch();

        node.delete("orders");

        await().until(this::isHungUp);
    }

    @Test
    void anOlderLeaderIsAskedInItsOwnVersion() throws IOException {
        leader.close();
        leader = new ScriptedLeader((short) 14);
        follow(LEADER, EPOCH);

        FetchRequestData first = leader.nextFetch();

        assertThat(leader.version()).isEqualTo((short) 14);
        assertThat(first.replicaId()).isEqualTo(TestNode.ID);
    }

    private boolean isHungUp() {
        try {
            leader.nextFetch();
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** Another topic keeps the connection alive. */
    private void stayWithLeader(Uuid others) {
        node.change(
                TestNode.view("others", others, 0, EPOCH, EPOCH, LEADER, List.of(TestNode.ID, LEADER), Uuid.ZERO_UUID));
    }

    private void follow(int leaderId, int epoch) {
        node.change(TestNode.view(
                "orders",
                topicId,
                0,
                epoch,
                epoch,
                leaderId,
                List.of(TestNode.ID, LEADER, OTHER_LEADER),
                Uuid.ZERO_UUID));
    }

    private ClusterImage cluster() {
        Endpoint endpoint = new Endpoint("PLAINTEXT", SecurityProtocol.PLAINTEXT, "127.0.0.1", leader.port());
        BrokerView broker = new BrokerView(
                LEADER, 1, Uuid.randomUuid(), false, false, null, Map.of("PLAINTEXT", endpoint), List.of());
        return ClusterImage.builder()
                .broker(broker)
                .feature("metadata.version", 33)
                .build();
    }

    private FetchPartition asked(FetchRequestData request) {
        assertThat(request.topics()).hasSize(1);
        assertThat(request.topics().get(0).topicId()).isEqualTo(topicId);
        return request.topics().get(0).partitions().get(0);
    }

    private FetchResponseData answer(MemoryRecords records, long highWatermark) {
        return answer(topicId, records, highWatermark);
    }

    private FetchResponseData answer(Uuid topic, MemoryRecords records, long highWatermark) {
        PartitionData data = new PartitionData()
                .setPartitionIndex(0)
                .setHighWatermark(highWatermark)
                .setLogStartOffset(0)
                .setRecords(records);
        return answer(topic, data);
    }

    private FetchResponseData refused(Errors error) {
        return answer(new PartitionData()
                .setPartitionIndex(0)
                .setErrorCode(error.code())
                .setHighWatermark(-1)
                .setRecords(MemoryRecords.EMPTY));
    }

    private FetchResponseData answer(PartitionData data) {
        return answer(topicId, data);
    }

    private static FetchResponseData answer(Uuid topic, PartitionData data) {
        return new FetchResponseData()
                .setSessionId(SESSION)
                .setResponses(
                        List.of(new FetchableTopicResponse().setTopicId(topic).setPartitions(List.of(data))));
    }

    private static ListOffsetsResponseData offset(long offset) {
        return new ListOffsetsResponseData()
                .setTopics(List.of(new ListOffsetsTopicResponse()
                        .setName("orders")
                        .setPartitions(List.of(new ListOffsetsPartitionResponse()
                                .setPartitionIndex(0)
                                .setOffset(offset)))));
    }

    private static MemoryRecords records(long baseOffset, String... values) {
        SimpleRecord[] records = Arrays.stream(values)
                .map(value -> new SimpleRecord(value.getBytes(StandardCharsets.UTF_8)))
                .toArray(SimpleRecord[]::new);
        MemoryRecords made = MemoryRecords.withRecords(baseOffset, Compression.NONE, EPOCH, records);
        ByteBuffer copy =
                ByteBuffer.allocate(made.sizeInBytes()).put(made.buffer()).flip();
        return MemoryRecords.readableRecords(copy);
    }
}
