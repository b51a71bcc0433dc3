package io.highwater.broker.api.records;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.disk.DiskWorkers;
import io.highwater.broker.partition.Isolation;
import io.highwater.broker.partition.OffsetOutcome;
import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.PartitionLookup;
import io.highwater.broker.partition.Partitions;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.jspecify.annotations.Nullable;

/**
 * Finds offsets by timestamp, or the first, the last, and other special ones.
 *
 * <p>Looks into segments on a disk worker if a real timestamp, or the largest one, is asked for. v2: isolation. v4: leader
 * epochs. v5: OFFSET_NOT_AVAILABLE after an election. v7, v8, v9, v11: one more special timestamp each.
 */
public final class ListOffsetsHandler implements ApiHandler<ListOffsetsRequestData> {
    private static final int LEADER_EPOCH_FROM = 4;
    private static final int OFFSET_NOT_AVAILABLE_FROM = 5;
    private static final int MAX_TIMESTAMP_FROM = 7;
    private static final int EARLIEST_LOCAL_FROM = 8;
    private static final int LATEST_TIERED_FROM = 9;
    private static final int EARLIEST_PENDING_UPLOAD_FROM = 11;

    private final Partitions partitions;
    private final DiskWorkers disk;

    /** Reads from {@code partitions}, on {@code disk} where it may take long. */
    public ListOffsetsHandler(Partitions partitions, DiskWorkers disk) {
        this.partitions = partitions;
        this.disk = disk;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, ListOffsetsRequestData body) {
        Set<TopicPartition> duplicates = duplicates(body);
        for (ListOffsetsTopic topic : body.topics()) {
            for (ListOffsetsPartition partition : topic.partitions()) {
                if (mayReadSegments(partition.timestamp())) {
                    return disk.submit(() -> answer(request, body, duplicates));
                }
            }
        }
        return Future.succeededFuture(answer(request, body, duplicates));
    }

    private ListOffsetsResponseData answer(
            ApiRequest request, ListOffsetsRequestData body, Set<TopicPartition> duplicates) {
        ListOffsetsResponseData response = new ListOffsetsResponseData();
        for (ListOffsetsTopic topic : body.topics()) {
            ListOffsetsTopicResponse answered = new ListOffsetsTopicResponse().setName(topic.name());
            response.topics().add(answered);
            for (ListOffsetsPartition partition : topic.partitions()) {
                OffsetOutcome outcome =
                        duplicates.contains(new TopicPartition(topic.name(), partition.partitionIndex()))
                                ? OffsetOutcome.refused(Errors.INVALID_REQUEST)
                                : find(request.version(), body, topic.name(), partition);
                answered.partitions().add(part(request.version(), partition.partitionIndex(), outcome));
            }
        }
        return response;
    }

    private OffsetOutcome find(short version, ListOffsetsRequestData body, String topic, ListOffsetsPartition asked) {
        if (isUndefined(asked.timestamp(), version)) {
            return OffsetOutcome.refused(Errors.UNSUPPORTED_VERSION);
        }
        PartitionLookup lookup = partitions.lookup(topic, asked.partitionIndex());
        Partition partition = lookup.partition();
        if (partition == null) {
            return OffsetOutcome.refused(lookup.error());
        }
        boolean leaderOnly = body.replicaId() != ListOffsetsRequest.DEBUGGING_REPLICA_ID;
        return partition.offsetFor(asked.timestamp(), asked.currentLeaderEpoch(), isolation(body), leaderOnly);
    }

    private static Isolation isolation(ListOffsetsRequestData body) {
        if (body.replicaId() != ListOffsetsRequest.CONSUMER_REPLICA_ID) {
            return Isolation.LOG_END;
        }
        return body.isolationLevel() == IsolationLevel.READ_COMMITTED.id()
                ? Isolation.LAST_STABLE_OFFSET
                : Isolation.HIGH_WATERMARK;
    }

    private static ListOffsetsPartitionResponse part(short version, int index, OffsetOutcome outcome) {
        Errors error = outcome.error();
        if (error == Errors.OFFSET_NOT_AVAILABLE && version < OFFSET_NOT_AVAILABLE_FROM) {
            error = Errors.LEADER_NOT_AVAILABLE;
        }
        ListOffsetsPartitionResponse part = new ListOffsetsPartitionResponse()
                .setPartitionIndex(index)
                .setErrorCode(error.code())
                .setTimestamp(outcome.timestampMs())
                .setOffset(outcome.offset());
        return version >= LEADER_EPOCH_FROM ? part.setLeaderEpoch(outcome.leaderEpoch()) : part;
    }

    private static boolean mayReadSegments(long timestamp) {
        return timestamp >= 0 || timestamp == ListOffsetsRequest.MAX_TIMESTAMP;
    }

    private static boolean isUndefined(long timestamp, short version) {
        if (timestamp >= ListOffsetsRequest.EARLIEST_TIMESTAMP) {
            return false;
        }
        if (timestamp == ListOffsetsRequest.MAX_TIMESTAMP) {
            return version < MAX_TIMESTAMP_FROM;
        }
        if (timestamp == ListOffsetsRequest.EARLIEST_LOCAL_TIMESTAMP) {
            return version < EARLIEST_LOCAL_FROM;
        }
        if (timestamp == ListOffsetsRequest.LATEST_TIERED_TIMESTAMP) {
            return version < LATEST_TIERED_FROM;
        }
        return timestamp != ListOffsetsRequest.EARLIEST_PENDING_UPLOAD_TIMESTAMP
                || version < EARLIEST_PENDING_UPLOAD_FROM;
    }

    private static Set<TopicPartition> duplicates(ListOffsetsRequestData body) {
        Set<TopicPartition> seen = new HashSet<>();
        Set<TopicPartition> twice = new HashSet<>();
        for (ListOffsetsTopic topic : body.topics()) {
            for (ListOffsetsPartition partition : topic.partitions()) {
                TopicPartition one = new TopicPartition(topic.name(), partition.partitionIndex());
                if (!seen.add(one)) {
                    twice.add(one);
                }
            }
        }
        return twice;
    }
}
