package io.highwater.broker.api.records;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.partition.AppendOutcome;
import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.PartitionLookup;
import io.highwater.broker.partition.Partitions;
import io.highwater.controlplane.ClusterImage;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;

/**
 * Appends records, at most one batch for each partition.
 *
 * <p>Answers when every partition has what {@code acks} asks: 0 is not answered at all (any error closes the connection), 1 when
 * the leader has it, -1 when all in-sync replicas have it or {@code timeoutMs} has passed. v7: zstd. v8: which records are to
 * blame. v10: where the leader is now. v13: topic ids instead of names. Hot.
 */
public final class ProduceHandler implements ApiHandler<ProduceRequestData> {
    private static final int ZSTD_FROM = 7;
    private static final String ADMIN_CLIENT_ID = "__admin_client";

    /** Where a batch of magic 2 keeps its attributes, after the first byte, which is unused. */
    private static final int ATTRIBUTES_AT = 22;

    private static final int CODEC_MASK = 0x07;
    private static final int ZSTD = 4;
    private static final int TRANSACTIONAL = 0x10;

    private final Partitions partitions;
    private final Supplier<ClusterImage> image;

    /** @param image the newest: where leaders are */
    public ProduceHandler(Partitions partitions, Supplier<ClusterImage> image) {
        this.partitions = partitions;
        this.image = image;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, ProduceRequestData body) {
        ProduceTurn turn = new ProduceTurn(request, body, image);
        for (TopicProduceData topic : body.topicData()) {
            for (PartitionProduceData partition : topic.partitionData()) {
                PartitionLookup lookup = lookup(topic, partition.index());
                turn.add(topic, partition, produce(request, body, lookup, partition));
            }
        }
        request.doneWithRecords();
        return turn.answer();
    }

    private PartitionLookup lookup(TopicProduceData topic, int index) {
        return topic.topicId().equals(Uuid.ZERO_UUID)
                ? partitions.lookup(topic.name(), index)
                : partitions.lookup(topic.topicId(), index);
    }

    private Future<AppendOutcome> produce(
            ApiRequest request, ProduceRequestData body, PartitionLookup lookup, PartitionProduceData data) {
        Partition partition = lookup.partition();
        if (lookup.error() == Errors.UNKNOWN_TOPIC_ID || lookup.error() == Errors.UNKNOWN_TOPIC_OR_PARTITION) {
            return refused(lookup.error(), null);
        }
        if (!(data.records() instanceof MemoryRecords records)) {
            return refused(Errors.INVALID_RECORD, "there are no records");
        }
        if (body.acks() < -1 || body.acks() > 1) {
            return refused(Errors.INVALID_REQUIRED_ACKS, null);
        }
        int attributes = attributes(records);
        if (request.version() < ZSTD_FROM && (attributes & CODEC_MASK) == ZSTD) {
            return refused(Errors.UNSUPPORTED_COMPRESSION_TYPE, "zstd needs Produce v7");
        }
        if ((attributes & TRANSACTIONAL) != 0) {
            return refused(Errors.INVALID_TXN_STATE, "this broker does not coordinate transactions");
        }
        if (partition == null) {
            return refused(lookup.error(), null);
        }
        if (Topic.isInternal(partition.topicPartition().topic())
                && !request.clientId().equals(ADMIN_CLIENT_ID)) {
            return refused(Errors.INVALID_TOPIC_EXCEPTION, "the topic is internal");
        }
        return partition.produce(records, body.acks(), body.timeoutMs());
    }

    /** Looked at before anything is verified: whether the bytes are a batch at all is found out later. */
    private static int attributes(MemoryRecords records) {
        ByteBuffer buffer = records.buffer();
        return buffer.remaining() > ATTRIBUTES_AT ? buffer.get(buffer.position() + ATTRIBUTES_AT) : 0;
    }

    private static Future<AppendOutcome> refused(Errors error, @Nullable String message) {
        return Future.succeededFuture(AppendOutcome.refused(error, message));
    }
}
