package io.highwater.broker.api.records;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.partition.OffsetOutcome;
import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.PartitionLookup;
import io.highwater.broker.partition.Partitions;
import io.vertx.core.Future;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.OffsetForLeaderTopicResult;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/**
 * Tells where the records of a leader epoch end: how a consumer finds out that its position was truncated away. Leaders answer;
 * an epoch that is not known is answered with -1 and no error. Never waits.
 */
public final class OffsetForLeaderEpochHandler implements ApiHandler<OffsetForLeaderEpochRequestData> {
    private final Partitions partitions;

    /** Asks {@code partitions}. */
    public OffsetForLeaderEpochHandler(Partitions partitions) {
        this.partitions = partitions;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, OffsetForLeaderEpochRequestData body) {
        OffsetForLeaderEpochResponseData response = new OffsetForLeaderEpochResponseData();
        for (OffsetForLeaderTopic topic : body.topics()) {
            OffsetForLeaderTopicResult answered = new OffsetForLeaderTopicResult().setTopic(topic.topic());
            response.topics().add(answered);
            for (OffsetForLeaderPartition partition : topic.partitions()) {
                OffsetOutcome end = endOf(topic.topic(), partition);
                answered.partitions()
                        .add(new EpochEndOffset()
                                .setPartition(partition.partition())
                                .setErrorCode(end.error().code())
                                .setLeaderEpoch(end.leaderEpoch())
                                .setEndOffset(end.offset()));
            }
        }
        return Future.succeededFuture(response);
    }

    private OffsetOutcome endOf(String topic, OffsetForLeaderPartition asked) {
        PartitionLookup lookup = partitions.lookup(topic, asked.partition());
        Partition partition = lookup.partition();
        return partition == null
                ? OffsetOutcome.refused(lookup.error())
                : partition.endOffsetForEpoch(asked.currentLeaderEpoch(), asked.leaderEpoch());
    }
}
