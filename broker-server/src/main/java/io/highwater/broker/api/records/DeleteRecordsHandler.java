package io.highwater.broker.api.records;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.partition.DeleteRecordsOutcome;
import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.PartitionLookup;
import io.highwater.broker.partition.Partitions;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsTopicResult;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Drops the head of partitions, up to an offset or (-1) up to the high watermark. Waits until all replicas that are alive have
 * done so, at most {@code timeoutMs}.
 */
public final class DeleteRecordsHandler implements ApiHandler<DeleteRecordsRequestData> {
    private final Partitions partitions;

    /** Deletes from {@code partitions}. */
    public DeleteRecordsHandler(Partitions partitions) {
        this.partitions = partitions;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, DeleteRecordsRequestData body) {
        DeleteRecordsResponseData response = new DeleteRecordsResponseData();
        List<Future<?>> pending = new ArrayList<>();
        for (DeleteRecordsTopic topic : body.topics()) {
            DeleteRecordsTopicResult answered = new DeleteRecordsTopicResult().setName(topic.name());
            response.topics().add(answered);
            for (DeleteRecordsPartition partition : topic.partitions()) {
                DeleteRecordsPartitionResult part =
                        new DeleteRecordsPartitionResult().setPartitionIndex(partition.partitionIndex());
                answered.partitions().add(part);
                pending.add(delete(topic.name(), partition, body.timeoutMs())
                        .onSuccess(outcome ->
                                part.setErrorCode(outcome.error().code()).setLowWatermark(outcome.lowWatermark())));
            }
        }
        return Future.all(pending).map(done -> response);
    }

    private Future<DeleteRecordsOutcome> delete(String topic, DeleteRecordsPartition asked, int timeoutMs) {
        PartitionLookup lookup = partitions.lookup(topic, asked.partitionIndex());
        Partition partition = lookup.partition();
        if (partition == null) {
            return Future.succeededFuture(DeleteRecordsOutcome.refused(lookup.error()));
        }
        if (Topic.isInternal(topic)) {
            return Future.succeededFuture(DeleteRecordsOutcome.refused(Errors.INVALID_TOPIC_EXCEPTION));
        }
        return partition.deleteRecords(asked.offset(), timeoutMs);
    }
}
