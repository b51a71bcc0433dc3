package io.highwater.broker.net;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** Requests and answers with something in them to recognise. */
final class Messages {
    static final short PRODUCE = 13;
    static final short FETCH = 18;
    static final short METADATA = 13;

    private Messages() {}

    static MetadataRequestData metadataRequest() {
        return new MetadataRequestData();
    }

    static MetadataResponseData metadata(String clusterId) {
        return new MetadataResponseData().setClusterId(clusterId);
    }

    static String clusterId(ApiMessage answer) {
        return ((MetadataResponseData) answer).clusterId();
    }

    static ProduceRequestData produce(byte[] records) {
        TopicProduceData topic = new TopicProduceData().setTopicId(Uuid.ONE_UUID);
        topic.partitionData()
                .add(new PartitionProduceData().setRecords(MemoryRecords.readableRecords(ByteBuffer.wrap(records))));
        ProduceRequestData body = new ProduceRequestData().setAcks((short) 1);
        body.topicData().add(topic);
        return body;
    }

    static byte[] records(ProduceRequestData body) {
        TopicProduceData topic = body.topicData().iterator().next();
        return bytes(((MemoryRecords) topic.partitionData().get(0).records()).buffer());
    }

    static FetchResponseData fetch(BaseRecords... records) {
        FetchableTopicResponse topic = new FetchableTopicResponse().setTopicId(Uuid.ONE_UUID);
        for (BaseRecords each : records) {
            topic.partitions().add(new PartitionData().setRecords(each));
        }
        return new FetchResponseData().setResponses(List.of(topic));
    }

    static List<byte[]> records(ApiMessage fetch) {
        return ((FetchResponseData) fetch)
                .responses().get(0).partitions().stream()
                        .map(partition -> bytes(((MemoryRecords) partition.records()).buffer()))
                        .toList();
    }

    static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
