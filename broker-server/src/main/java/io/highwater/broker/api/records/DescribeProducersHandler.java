package io.highwater.broker.api.records;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.PartitionLookup;
import io.highwater.broker.partition.Partitions;
import io.highwater.storage.producer.ActiveProducer;
import io.vertx.core.Future;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeProducersResponseData.PartitionResponse;
import org.apache.kafka.common.message.DescribeProducersResponseData.ProducerState;
import org.apache.kafka.common.message.DescribeProducersResponseData.TopicResponse;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** Tells which idempotent and transactional producers a leader knows, with their sequences and open transactions. Never waits. */
public final class DescribeProducersHandler implements ApiHandler<DescribeProducersRequestData> {
    private final Partitions partitions;

    /** Asks {@code partitions}. */
    public DescribeProducersHandler(Partitions partitions) {
        this.partitions = partitions;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, DescribeProducersRequestData body) {
        DescribeProducersResponseData response = new DescribeProducersResponseData();
        for (TopicRequest topic : body.topics()) {
            TopicResponse answered = new TopicResponse().setName(topic.name());
            response.topics().add(answered);
            for (int index : topic.partitionIndexes()) {
                answered.partitions().add(describe(topic.name(), index));
            }
        }
        return Future.succeededFuture(response);
    }

    private PartitionResponse describe(String topic, int index) {
        PartitionResponse part = new PartitionResponse().setPartitionIndex(index);
        PartitionLookup lookup = partitions.lookup(topic, index);
        Partition partition = lookup.partition();
        if (partition == null) {
            return part.setErrorCode(lookup.error().code());
        }
        if (!partition.isLeader()) {
            return part.setErrorCode(Errors.NOT_LEADER_OR_FOLLOWER.code());
        }
        for (ActiveProducer producer : partition.activeProducers()) {
            part.activeProducers()
                    .add(new ProducerState()
                            .setProducerId(producer.producerId())
                            .setProducerEpoch(producer.producerEpoch())
                            .setLastSequence(producer.lastSequence())
                            .setLastTimestamp(producer.lastTimestampMs())
                            .setCoordinatorEpoch(producer.coordinatorEpoch())
                            .setCurrentTxnStartOffset(producer.openTransactionFirstOffset()));
        }
        return part;
    }
}
