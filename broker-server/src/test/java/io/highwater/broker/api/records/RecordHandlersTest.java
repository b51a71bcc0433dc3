package io.highwater.broker.api.records;

import static io.highwater.broker.api.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.UnanswerableException;
import io.highwater.broker.partition.Batches;
import io.highwater.broker.partition.TestNode;
import io.highwater.controlplane.ProducerIdBlock;
import io.highwater.controlplane.TopicView;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordHandlersTest {
    private static final short ALL = -1;

    @TempDir
    Path directory;

    private TestNode node;
    private TopicView topic;

    @BeforeEach
    void open() throws Exception {
        node = new TestNode(directory.resolve("a"));
        topic = node.create("orders", 2);
    }

    @AfterEach
    void close() throws IOException {
        node.close();
    }

    @Test
    void produceAnswersEachPartitionForItself() {
        ProduceRequestData request = produce(ALL, topic.id(), part(0, "a", "b"), part(1, "c"), part(5, "d"));

        ProduceResponseData response = produce(13, request).result();

        assertThat(response.responses()).hasSize(1);
        List<PartitionProduceResponse> parts =
                response.responses().iterator().next().partitionResponses();
        assertThat(parts)
                .extracting(part -> Errors.forCode(part.errorCode()))
                .containsExactly(Errors.NONE, Errors.NONE, Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(parts.get(0).baseOffset()).isZero();
        assertThat(parts.get(0).logStartOffset()).isZero();
    }

    @Test
    void produceKnowsTopicsByNameToo() {
        ProduceRequestData request = produce(ALL, "orders", part(0, "a"));

        assertThat(error(produce(9, request).result())).isEqualTo(Errors.NONE);
        assertThat(error(produce(9, produce(ALL, "nothing", part(0, "a"))).result()))
                .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(error(produce(13, produce(ALL, Uuid.randomUuid(), part(0, "a")))
                        .result()))
                .isEqualTo(Errors.UNKNOWN_TOPIC_ID);
    }

    @Test
    void produceWithOtherAcksIsRefused() {
        assertThat(error(produce(13, produce((short) 2, topic.id(), part(0, "a")))
                        .result()))
                .isEqualTo(Errors.INVALID_REQUIRED_ACKS);
    }

    @Test
    void produceWithoutAcksIsNotAnswered() {
        Future<@Nullable ApiMessage> answer = handleProduce(13, produce((short) 0, topic.id(), part(0, "a")));

        assertThat(answer.succeeded()).isTrue();
        assertThat(answer.result()).isNull();
    }

    @Test
    void produceWithoutAcksThatIsRefusedClosesTheConnection() {
        Future<@Nullable ApiMessage> answer = handleProduce(13, produce((short) 0, topic.id(), part(9, "a")));

        assertThat(answer.cause()).isInstanceOf(UnanswerableException.class);
    }

    @Test
    void produceOfNothingOrOfSeveralBatchesIsRefused() {
        PartitionProduceData none = new PartitionProduceData().setIndex(0).setRecords(MemoryRecords.EMPTY);
        ByteBuffer one = Batches.of(node.clock.wallMs(), "a").buffer();
        ByteBuffer twice = ByteBuffer.allocate(2 * one.remaining())
                .put(one.duplicate())
                .put(one.duplicate())
                .flip();
        PartitionProduceData two =
                new PartitionProduceData().setIndex(0).setRecords(MemoryRecords.readableRecords(twice));

        assertThat(error(produce(13, produce(ALL, topic.id(), none)).result())).isEqualTo(Errors.INVALID_RECORD);
        assertThat(error(produce(13, produce(ALL, topic.id(), two)).result())).isEqualTo(Errors.INVALID_RECORD);
        assertThat(error(produce(
                                13,
                                produce(
                                        ALL,
                                        topic.id(),
                                        new PartitionProduceData().setIndex(0).setRecords(null)))
                        .result()))
                .isEqualTo(Errors.INVALID_RECORD);
    }

    @Test
    void aBatchWithAFlippedBitIsCorrupt() {
        MemoryRecords records = Batches.of(node.clock.wallMs(), "abc");
        ByteBuffer buffer = records.buffer();
        int last = buffer.limit() - 3;
        buffer.put(last, (byte) (buffer.get(last) ^ 1));
        PartitionProduceData data = new PartitionProduceData().setIndex(0).setRecords(records);

        assertThat(error(produce(13, produce(ALL, topic.id(), data)).result())).isEqualTo(Errors.CORRUPT_MESSAGE);
        assertThat(error(produce(13, produce(ALL, topic.id(), part(0, "a"))).result()))
                .isEqualTo(Errors.NONE);
    }

    @Test
    void zstdNeedsANewEnoughProducer() {
        MemoryRecords zstd = MemoryRecords.withRecords(
                Compression.zstd().build(), new SimpleRecord(node.clock.wallMs(), null, new byte[100]));
        PartitionProduceData data = new PartitionProduceData().setIndex(0).setRecords(zstd);

        assertThat(error(produce(6, produce(ALL, "orders", data)).result()))
                .isEqualTo(Errors.UNSUPPORTED_COMPRESSION_TYPE);
        assertThat(error(produce(7, produce(ALL, "orders", data)).result())).isEqualTo(Errors.NONE);
    }

    @Test
    void transactionsAreRefused() {
        PartitionProduceData data = new PartitionProduceData()
                .setIndex(0)
                .setRecords(Batches.transactional(node.clock.wallMs(), 7, 0, "a"));

        assertThat(error(produce(13, produce(ALL, topic.id(), data)).result())).isEqualTo(Errors.INVALID_TXN_STATE);
    }

    @Test
    void internalTopicsTakeNothingFromClients() {
        TopicView internal = node.create("__consumer_offsets", 1);

        assertThat(error(produce(13, produce(ALL, internal.id(), part(0, "a"))).result()))
                .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
    }

    @Test
    void whoProducesToAFormerLeaderIsToldWhereTheNewOneIs() {
        node.change(TestNode.view("orders", topic.id(), 0, 4, 1, 2, List.of(1, 2), Uuid.ZERO_UUID));

        ProduceResponseData response =
                produce(13, produce(ALL, topic.id(), part(0, "a"))).result();

        assertThat(error(response)).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        PartitionProduceResponse part =
                response.responses().iterator().next().partitionResponses().get(0);
        assertThat(part.currentLeader().leaderId()).isEqualTo(2);
        assertThat(part.currentLeader().leaderEpoch()).isEqualTo(4);
    }

    @Test
    void offsetsAreFoundByEveryKindOfTimestamp() {
        produce(13, produce(ALL, topic.id(), part(0, "a", "b"))).result();
        long now = node.clock.wallMs();

        assertThat(list(11, -1).offset()).isEqualTo(2);
        assertThat(list(11, -2).offset()).isZero();
        assertThat(list(11, -3).offset()).isZero();
        assertThat(list(11, -4).offset()).isZero();
        assertThat(list(11, -5).offset()).isEqualTo(-1);
        assertThat(list(11, -6).offset()).isEqualTo(-1);
        assertThat(list(11, now).offset()).isZero();
        assertThat(list(11, now).timestamp()).isEqualTo(now);
        assertThat(list(11, now).leaderEpoch()).isZero();
        assertThat(list(11, now + 1).offset()).isEqualTo(-1);
        assertThat(list(11, now + 1).timestamp()).isEqualTo(-1);
    }

    @Test
    void specialTimestampsNeedTheVersionThatHasThem() {
        assertThat(Errors.forCode(list(6, -3).errorCode())).isEqualTo(Errors.UNSUPPORTED_VERSION);
        assertThat(Errors.forCode(list(7, -3).errorCode())).isEqualTo(Errors.NONE);
        assertThat(Errors.forCode(list(7, -4).errorCode())).isEqualTo(Errors.UNSUPPORTED_VERSION);
        assertThat(Errors.forCode(list(8, -5).errorCode())).isEqualTo(Errors.UNSUPPORTED_VERSION);
        assertThat(Errors.forCode(list(10, -6).errorCode())).isEqualTo(Errors.UNSUPPORTED_VERSION);
        assertThat(Errors.forCode(list(11, -7).errorCode())).isEqualTo(Errors.UNSUPPORTED_VERSION);
    }

    @Test
    void aPartitionAskedForTwiceIsRefusedTwice() {
        ListOffsetsRequestData body = new ListOffsetsRequestData().setReplicaId(-1);
        ListOffsetsPartition one =
                new ListOffsetsPartition().setPartitionIndex(0).setTimestamp(-1);
        body.topics().add(new ListOffsetsTopic().setName("orders").setPartitions(List.of(one, one.duplicate())));

        ListOffsetsResponseData response = handle(
                new ListOffsetsHandler(node.partitions, node.disk),
                ApiKeys.LIST_OFFSETS,
                11,
                body,
                ListOffsetsResponseData.class);

        assertThat(response.topics().get(0).partitions())
                .extracting(part -> Errors.forCode(part.errorCode()))
                .containsOnly(Errors.INVALID_REQUEST);
    }

    @Test
    void epochsAreAnsweredByTheirEnd() {
        produce(13, produce(ALL, topic.id(), part(0, "a", "b"))).result();
        OffsetForLeaderEpochRequestData body = new OffsetForLeaderEpochRequestData();
        body.topics()
                .add(new OffsetForLeaderTopic()
                        .setTopic("orders")
                        .setPartitions(List.of(new OffsetForLeaderPartition()
                                .setPartition(0)
                                .setCurrentLeaderEpoch(-1)
                                .setLeaderEpoch(0))));

        OffsetForLeaderEpochResponseData response = handle(
                new OffsetForLeaderEpochHandler(node.partitions),
                ApiKeys.OFFSET_FOR_LEADER_EPOCH,
                4,
                body,
                OffsetForLeaderEpochResponseData.class);

        assertThat(Objects.requireNonNull(response.topics().find("orders"))
                        .partitions()
                        .get(0)
                        .endOffset())
                .isEqualTo(2);
    }

    @Test
    void recordsAreDeleted() {
        produce(13, produce(ALL, topic.id(), part(0, "a", "b"))).result();

        DeleteRecordsResponseData response = delete("orders", 0, 1);

        var part = Objects.requireNonNull(response.topics().find("orders")).partitions();
        assertThat(Objects.requireNonNull(part.find(0)).lowWatermark()).isEqualTo(1);
        assertThat(list(11, -2).offset()).isEqualTo(1);
    }

    @Test
    void deletionsThatCannotBeAreRefused() {
        node.create("__consumer_offsets", 1);

        assertThat(deleteError("orders", 0, 7)).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
        assertThat(deleteError("orders", 9, 0)).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(deleteError("__consumer_offsets", 0, 0)).isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
    }

    @Test
    void producersAreDescribed() {
        PartitionProduceData data = new PartitionProduceData()
                .setIndex(0)
                .setRecords(Batches.idempotent(node.clock.wallMs(), 7, 1, 0, "a", "b"));
        produce(13, produce(ALL, topic.id(), data)).result();
        DescribeProducersRequestData body = new DescribeProducersRequestData();
        body.topics().add(new TopicRequest().setName("orders").setPartitionIndexes(List.of(0, 9)));

        DescribeProducersResponseData response = handle(
                new DescribeProducersHandler(node.partitions),
                ApiKeys.DESCRIBE_PRODUCERS,
                0,
                body,
                DescribeProducersResponseData.class);

        var parts = response.topics().get(0).partitions();
        assertThat(parts.get(0).activeProducers()).hasSize(1);
        assertThat(parts.get(0).activeProducers().get(0).producerId()).isEqualTo(7);
        assertThat(parts.get(0).activeProducers().get(0).lastSequence()).isEqualTo(1);
        assertThat(Errors.forCode(parts.get(1).errorCode())).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void directoriesAreDescribedWithTheirRoom() {
        produce(13, produce(ALL, topic.id(), part(0, "a"))).result();

        DescribeLogDirsResponseData response = handle(
                new DescribeLogDirsHandler(node.partitions, node.disk),
                ApiKeys.DESCRIBE_LOG_DIRS,
                5,
                new DescribeLogDirsRequestData().setTopics(null),
                DescribeLogDirsResponseData.class);

        var result = response.results().get(0);
        assertThat(result.logDir()).isEqualTo(directory.resolve("a").toString());
        assertThat(result.totalBytes()).isPositive();
        assertThat(result.topics().get(0).partitions()).hasSize(2);
        assertThat(result.topics().get(0).partitions())
                .anySatisfy(part -> assertThat(part.partitionSize()).isPositive());
    }

    @Test
    void idempotentProducersGetAnId() {
        InitProducerIdResponseData given = init(null, -1, -1, 60_000);

        assertThat(given.producerId()).isEqualTo(1000);
        assertThat(given.producerEpoch()).isZero();
    }

    @Test
    void halfAnIdIsNoId() {
        assertThat(Errors.forCode(init(null, 5, -1, 60_000).errorCode())).isEqualTo(Errors.INVALID_REQUEST);
        assertThat(Errors.forCode(init("", -1, -1, 60_000).errorCode())).isEqualTo(Errors.INVALID_REQUEST);
        assertThat(Errors.forCode(init("t", -1, -1, 0).errorCode())).isEqualTo(Errors.INVALID_TRANSACTION_TIMEOUT);
        assertThat(Errors.forCode(init("t", -1, -1, 60_000).errorCode())).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
    }

    private InitProducerIdResponseData init(@Nullable String transactionalId, long id, int epoch, int timeoutMs) {
        ProducerIds ids = new ProducerIds(() -> CompletableFuture.completedFuture(new ProducerIdBlock(1000, 1000)));
        return handle(
                new InitProducerIdHandler(ids, () -> 900_000),
                ApiKeys.INIT_PRODUCER_ID,
                5,
                new InitProducerIdRequestData()
                        .setTransactionalId(transactionalId)
                        .setProducerId(id)
                        .setProducerEpoch((short) epoch)
                        .setTransactionTimeoutMs(timeoutMs),
                InitProducerIdResponseData.class);
    }

    private Errors deleteError(String name, int index, long offset) {
        var parts = Objects.requireNonNull(delete(name, index, offset).topics().find(name))
                .partitions();
        return Errors.forCode(Objects.requireNonNull(parts.find(index)).errorCode());
    }

    private DeleteRecordsResponseData delete(String name, int index, long offset) {
        DeleteRecordsRequestData body = new DeleteRecordsRequestData().setTimeoutMs(1_000);
        body.topics()
                .add(new DeleteRecordsTopic()
                        .setName(name)
                        .setPartitions(List.of(new DeleteRecordsPartition()
                                .setPartitionIndex(index)
                                .setOffset(offset))));
        return handle(
                new DeleteRecordsHandler(node.partitions),
                ApiKeys.DELETE_RECORDS,
                2,
                body,
                DeleteRecordsResponseData.class);
    }

    private ListOffsetsPartitionResponse list(int version, long timestamp) {
        ListOffsetsRequestData body = new ListOffsetsRequestData().setReplicaId(-1);
        body.topics()
                .add(new ListOffsetsTopic()
                        .setName("orders")
                        .setPartitions(List.of(
                                new ListOffsetsPartition().setPartitionIndex(0).setTimestamp(timestamp))));
        return handle(
                        new ListOffsetsHandler(node.partitions, node.disk),
                        ApiKeys.LIST_OFFSETS,
                        version,
                        body,
                        ListOffsetsResponseData.class)
                .topics()
                .get(0)
                .partitions()
                .get(0);
    }

    private Future<ProduceResponseData> produce(int version, ProduceRequestData body) {
        return handleProduce(version, body).map(ProduceResponseData.class::cast);
    }

    private Future<@Nullable ApiMessage> handleProduce(int version, ProduceRequestData body) {
        return new ProduceHandler(node.partitions, node::image).handle(request(ApiKeys.PRODUCE, version, body), body);
    }

    private static <Q extends ApiMessage, A> A handle(
            ApiHandler<Q> handler, ApiKeys api, int version, Q body, Class<A> type) {
        ApiMessage answer = handler.handle(request(api, version, body), body).await();
        return type.cast(Objects.requireNonNull(answer));
    }

    private ProduceRequestData produce(short acks, Uuid topicId, PartitionProduceData... parts) {
        return produce(acks, new TopicProduceData().setTopicId(topicId), parts);
    }

    private ProduceRequestData produce(short acks, String name, PartitionProduceData... parts) {
        return produce(acks, new TopicProduceData().setName(name), parts);
    }

    private static ProduceRequestData produce(short acks, TopicProduceData topic, PartitionProduceData... parts) {
        ProduceRequestData request = new ProduceRequestData().setAcks(acks).setTimeoutMs(1_000);
        request.topicData().add(topic.setPartitionData(List.of(parts)));
        return request;
    }

    private PartitionProduceData part(int index, String... values) {
        return new PartitionProduceData().setIndex(index).setRecords(Batches.of(node.clock.wallMs(), values));
    }

    private static Errors error(ProduceResponseData response) {
        return Errors.forCode(response.responses()
                .iterator()
                .next()
                .partitionResponses()
                .get(0)
                .errorCode());
    }
}
