package io.highwater.broker.api.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.api.Requests;
import io.highwater.broker.metrics.Dialects;
import io.highwater.broker.metrics.Metrics;
import io.highwater.broker.metrics.TrafficMetrics;
import io.highwater.broker.partition.Batches;
import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.ReplicationThrottle;
import io.highwater.broker.partition.TestNode;
import io.highwater.controlplane.PartitionView;
import io.highwater.controlplane.TopicView;
import io.highwater.replication.InSyncReplicasProposal;
import io.highwater.wire.frame.LeasedRecords;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ReplicaState;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FetchHandlerTest {
    private static final int NO_WAIT = 0;

    @TempDir
    Path directory;

    private TestNode node;
    private FetchHandler handler;
    private TopicView topic;

    /** Building an answer that has to name a leader fails. */
    private boolean imageIsBroken;

    @BeforeEach
    @SuppressWarnings("NullAway") // an image that is none is how to break it
    void open() throws Exception {
        node = new TestNode(directory.resolve("a"));
        topic = node.create("orders", 4);
        handler = new FetchHandler(
                new FetchServices(
                        node.partitions,
                        () -> imageIsBroken ? null : node.image(),
                        node.clock,
                        node.disk,
                        () -> 50_000_000,
                        ReadReplicas.leadersOnly(),
                        ReplicationThrottle.none(node.clock),
                        new TrafficMetrics(),
                        new Metrics(Dialects.usual()).waits(),
                        () -> Runnable::run),
                new FetchSessions(10, node.clock::monotonicMs));
    }

    @AfterEach
    void close() throws IOException {
        assertThat(node.clock.pending()).as("deadlines left behind").isZero();
        node.close();
    }

    @Test
    void givesWhatIsThere() {
        produce(0, "a", "b");

        FetchResponseData response = fetch(request(NO_WAIT, 1, want(0, 0))).result();

        assertThat(values(response, 0)).containsExactly("a", "b");
        assertThat(part(response, 0).highWatermark()).isEqualTo(2);
        assertThat(response.sessionId()).isNotZero();
    }

    @Test
    void waitsForTheFirstByte() {
        Future<FetchResponseData> answer = fetch(request(500, 1, want(0, 0)));
        assertThat(answer.isComplete()).isFalse();

        produce(0, "a");

        assertThat(values(answer.result(), 0)).containsExactly("a");
    }

    @Test
    void waitsNoLongerThanItWasAsked() {
        produce(0, "a");
        Future<FetchResponseData> answer = fetch(request(500, 100_000, want(0, 0)));
        assertThat(answer.isComplete()).isFalse();

        node.clock.advance(500);

        assertThat(values(answer.result(), 0)).containsExactly("a");
    }

    @Test
    void minBytesAreCountedOverAllPartitions() {
        int batchBytes = Batches.of(0, "a").sizeInBytes();
        Future<FetchResponseData> answer = fetch(request(500, 2 * batchBytes, want(0, 0), want(1, 0)));

        produce(0, "a");
        assertThat(answer.isComplete()).isFalse();
        produce(1, "b");

        assertThat(values(answer.result(), 0)).containsExactly("a");
        assertThat(values(answer.result(), 1)).containsExactly("b");
    }

    @Test
    void theFirstBatchIsGivenWholeWhateverTheLimits() {
        produce(0, "x".repeat(1_000));
        produce(1, "y".repeat(1_000));

        FetchResponseData response = fetch(
                        request(NO_WAIT, 1, want(0, 0, 10), want(1, 0, 10)).setMaxBytes(20))
                .result();

        assertThat(values(response, 0)).hasSize(1);
        assertThat(values(response, 1)).as("only the first of the whole answer").isEmpty();
    }

    @Test
    void anEmptyPartitionDoesNotUseUpTheFirstBatch() {
        produce(1, "y".repeat(1_000));

        FetchResponseData response =
                fetch(request(NO_WAIT, 1, want(0, 0, 10), want(1, 0, 10))).result();

        assertThat(values(response, 1)).hasSize(1);
    }

    @Test
    void theLimitOfTheWholeAnswerHolds() {
        produce(0, "x".repeat(1_000));
        produce(0, "x".repeat(1_000));
        produce(1, "y".repeat(1_000));

        FetchResponseData response = fetch(
                        request(NO_WAIT, 1, want(0, 0), want(1, 0)).setMaxBytes(1_500))
                .result();

        int bytes = part(response, 0).records().sizeInBytes()
                + part(response, 1).records().sizeInBytes();
        assertThat(bytes).isLessThanOrEqualTo(1_500).isGreaterThan(1_000);
    }

    @Test
    void anErrorIsAnsweredAtOnce() {
        FetchResponseData response =
                fetch(request(500, 1, want(0, 0), want(1, 7))).result();

        assertThat(Errors.forCode(part(response, 1).errorCode())).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
        assertThat(Errors.forCode(part(response, 0).errorCode())).isEqualTo(Errors.NONE);
    }

    @Test
    void anUnknownTopicIdIsSaidSo() {
        FetchRequestData request = request(500, 1);
        request.topics().add(new FetchTopic().setTopicId(Uuid.randomUuid()).setPartitions(List.of(want(0, 0))));

        FetchResponseData response = fetch(request).result();

        assertThat(Errors.forCode(part(response, 0).errorCode())).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
    }

    @Test
    void whoAsksAFormerLeaderIsToldWhereTheNewOneIs() {
        node.change(TestNode.view("orders", topic.id(), 0, 3, 1, 2, List.of(2), Uuid.ZERO_UUID));

        FetchResponseData response = fetch(request(500, 1, want(0, 0))).result();

        assertThat(Errors.forCode(part(response, 0).errorCode())).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        assertThat(part(response, 0).currentLeader().leaderId()).isEqualTo(2);
        assertThat(part(response, 0).currentLeader().leaderEpoch()).isEqualTo(3);
    }

    @Test
    void aFollowerJoinsAsWhatItIsRegisteredAsAndInNoOtherLife() {
        node.register(2, 22);
        node.change(ledWithoutFollower());

        assertThat(error(fetch(ofFollower(2, 21)))).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        assertThat(error(fetch(ofFollower(2, 23)))).isEqualTo(Errors.NONE);
        assertThat(node.proposals)
                .as("asked for before the registration is known")
                .isEmpty();
        node.register(2, 23);
        assertThat(error(fetch(ofFollower(2, 22)))).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        assertThat(error(fetch(ofFollower(2, 23)))).isEqualTo(Errors.NONE);

        assertThat(node.proposals).hasSize(1);
        assertThat(node.proposals.get(0).members()).contains(new InSyncReplicasProposal.Member(2, 23));
    }

    @Test
    void aParkedFetchLearnsThatItsTopicIsGone() {
        Future<FetchResponseData> answer = fetch(request(500, 1, want(0, 0)));

        node.delete("orders");

        assertThat(Errors.forCode(part(answer.result(), 0).errorCode())).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
    }

    @Test
    void oldVersionsAskByName() {
        produce(0, "a");
        FetchRequestData request = request(NO_WAIT, 1);
        request.topics().add(new FetchTopic().setTopic("orders").setPartitions(List.of(want(0, 0))));

        FetchResponseData response = fetch(request, 12).result();

        assertThat(response.responses().get(0).topic()).isEqualTo("orders");
        assertThat(values(response, 0)).containsExactly("a");
    }

    @Test
    void inASessionOnlyNewsIsTold() {
        produce(0, "a");
        FetchResponseData first =
                fetch(request(NO_WAIT, 1, want(0, 0), want(1, 0))).result();
        release(first);

        FetchRequestData second = session(first, 1, want(0, 1));
        FetchResponseData nothing = fetch(second).result();
        produce(1, "b");
        FetchResponseData news = fetch(session(first, 2)).result();

        assertThat(nothing.responses()).isEmpty();
        assertThat(nothing.sessionId()).isEqualTo(first.sessionId());
        assertThat(values(news, 1)).containsExactly("b");
        assertThat(news.responses().get(0).partitions()).hasSize(1);
    }

    @Test
    void aSessionThatNobodyKnowsIsRefused() {
        FetchRequestData request = request(500, 1).setSessionId(77).setSessionEpoch(3);

        assertThat(Errors.forCode(fetch(request).result().errorCode())).isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND);
    }

    @Test
    void aFetchOutOfTurnIsRefused() {
        FetchResponseData first = fetch(request(NO_WAIT, 1, want(0, 0))).result();

        assertThat(Errors.forCode(fetch(session(first, 5)).result().errorCode()))
                .isEqualTo(Errors.INVALID_FETCH_SESSION_EPOCH);
    }

    @Test
    void theLastEpochEndsTheSession() {
        FetchResponseData first = fetch(request(NO_WAIT, 1, want(0, 0))).result();

        FetchResponseData last = fetch(session(first, -1, want(0, 0))).result();

        assertThat(last.sessionId()).isZero();
        assertThat(Errors.forCode(fetch(session(first, 1)).result().errorCode()))
                .isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND);
    }

    @Test
    void zstdIsKeptFromThoseWhoCannotReadIt() {
        node.configure("orders", Map.of("compression.type", "zstd"));
        FetchRequestData request = request(NO_WAIT, 1);
        request.topics().add(new FetchTopic().setTopic("orders").setPartitions(List.of(want(0, 0))));

        assertThat(Errors.forCode(part(fetch(request, 9).result(), 0).errorCode()))
                .isEqualTo(Errors.UNSUPPORTED_COMPRESSION_TYPE);
    }

    @Test
    void largeAnswersInPlaintextGoOutAsFiles() throws IOException {
        for (int i = 0; i < 20; i++) {
            produce(0, "x".repeat(20_000));
        }

        FetchResponseData response = fetch(request(NO_WAIT, 1, want(0, 0))).result();

        LeasedRecords records = (LeasedRecords) part(response, 0).records();
        assertThat(records.isFile()).isTrue();
        records.release();
    }

    @ParameterizedTest(name = "in a session: {0}")
    @ValueSource(booleans = {false, true})
    void anAnswerThatCannotBeBuiltGivesAllItsLeasesBack(boolean inSession) throws Exception {
        produce(0, "a");
        produce(1, "b");
        produce(3, "c");
        node.change(TestNode.view("orders", topic.id(), 2, 3, 1, 2, List.of(2), Uuid.ZERO_UUID));
        FetchRequestData request = request(NO_WAIT, 1, want(0, 0), want(1, 0), want(2, 0), want(3, 0));
        if (inSession) {
            FetchResponseData first = fetch(request).result();
            release(first);
            request = session(first, 1, want(0, 0), want(1, 0), want(2, 0), want(3, 0));
        }
        imageIsBroken = true;

        Future<FetchResponseData> answer = fetch(request);

        assertThat(answer.failed()).isTrue();
        node.close();
        assertThat(openFiles()).isEmpty();
        node = new TestNode(directory.resolve("b"));
    }

    /** Files below the test's directory that this process has open: a segment closes them when its last lease is back. */
    private List<Path> openFiles() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors
                    .filter(Files::isSymbolicLink)
                    .map(FetchHandlerTest::target)
                    .filter(file -> file.startsWith(directory))
                    .toList();
        }
    }

    private static Path target(Path link) {
        try {
            return Files.readSymbolicLink(link);
        } catch (IOException gone) {
            return link;
        }
    }

    private void produce(int partition, String... values) {
        Partition hosted = node.partitions.lookup("orders", partition).partition();
        if (hosted == null) {
            throw new AssertionError("orders-" + partition + " is not here");
        }
        assertThat(hosted.produce(Batches.of(node.clock.wallMs(), values), (short) -1, 1_000)
                        .result()
                        .error())
                .isEqualTo(Errors.NONE);
    }

    private Future<FetchResponseData> fetch(FetchRequestData request) {
        return fetch(request, 17);
    }

    private Future<FetchResponseData> fetch(FetchRequestData request, int version) {
        Future<@Nullable ApiMessage> answer =
                handler.handle(Requests.request(ApiKeys.FETCH, version, request), request);
        return answer.map(FetchResponseData.class::cast);
    }

    private FetchRequestData request(int maxWaitMs, int minBytes, FetchPartition... wanted) {
        FetchRequestData request = new FetchRequestData()
                .setReplicaId(-1)
                .setMaxWaitMs(maxWaitMs)
                .setMinBytes(minBytes)
                .setMaxBytes(50_000_000)
                .setSessionEpoch(0);
        if (wanted.length > 0) {
            request.topics().add(new FetchTopic().setTopicId(topic.id()).setPartitions(List.of(wanted)));
        }
        return request;
    }

    private FetchRequestData ofFollower(int replicaId, long brokerEpoch) {
        return request(NO_WAIT, 1, want(0, 0))
                .setReplicaState(new ReplicaState().setReplicaId(replicaId).setReplicaEpoch(brokerEpoch));
    }

    /** Broker 2 should have a copy of partition 0 and is not in sync. */
    private PartitionView ledWithoutFollower() {
        List<Integer> none = List.of();
        List<Uuid> directories = List.of(Uuid.ZERO_UUID, Uuid.ZERO_UUID);
        return new PartitionView(
                "orders",
                topic.id(),
                0,
                1,
                0,
                1,
                List.of(1, 2),
                List.of(1),
                none,
                none,
                none,
                none,
                directories,
                false);
    }

    private static Errors error(Future<FetchResponseData> answer) {
        return Errors.forCode(part(answer.result(), 0).errorCode());
    }

    private FetchRequestData session(FetchResponseData first, int epoch, FetchPartition... wanted) {
        return request(NO_WAIT, 1, wanted).setSessionId(first.sessionId()).setSessionEpoch(epoch);
    }

    private static FetchPartition want(int index, long offset) {
        return want(index, offset, 1 << 20);
    }

    private static FetchPartition want(int index, long offset, int maxBytes) {
        return new FetchPartition().setPartition(index).setFetchOffset(offset).setPartitionMaxBytes(maxBytes);
    }

    private static PartitionData part(FetchResponseData response, int index) {
        for (FetchableTopicResponse topic : response.responses()) {
            for (PartitionData partition : topic.partitions()) {
                if (partition.partitionIndex() == index) {
                    return partition;
                }
            }
        }
        throw new AssertionError("partition " + index + " is not in " + response);
    }

    /** Reads the records of one partition and gives their lease back. */
    private static List<String> values(FetchResponseData response, int index) {
        if (part(response, index).records() instanceof LeasedRecords leased) {
            ByteBuffer view = leased.view();
            ByteBuffer copy = ByteBuffer.allocate(view.remaining()).put(view).flip();
            leased.release();
            return Batches.values(copy);
        }
        return Batches.values(((MemoryRecords) part(response, index).records()).buffer());
    }

    private static void release(FetchResponseData response) {
        LeasedRecords.releaseAll(response);
    }
}
