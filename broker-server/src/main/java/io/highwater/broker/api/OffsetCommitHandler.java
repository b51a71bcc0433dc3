package io.highwater.broker.api;

import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.TopicView;
import io.highwater.coordination.group.GroupCoordination;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetCommitResponse;
import org.jspecify.annotations.Nullable;

/**
 * Commits offsets of topics that exist. Waits for the in-sync replicas, at most {@code offsets.commit.timeout.ms}.
 *
 * <p>v6 leader epochs; v7 static members; v9 KIP-848 member epochs; from v10 topics go by id, before by name.
 */
final class OffsetCommitHandler implements ApiHandler<OffsetCommitRequestData> {
    private final GroupCoordination groups;
    private final Supplier<ClusterImage> image;

    OffsetCommitHandler(GroupCoordination groups, Supplier<ClusterImage> image) {
        this.groups = groups;
        this.image = image;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, OffsetCommitRequestData body) {
        boolean byId = OffsetCommitResponse.useTopicIds(request.version());
        OffsetCommitResponse.Builder refusals = OffsetCommitResponse.newBuilder(byId);
        List<OffsetCommitRequestTopic> known = keepKnown(body.topics(), byId, refusals);
        if (known.isEmpty()) {
            return GroupApi.answer(refusals.build().data());
        }
        body.setTopics(known);
        return GroupApi.answer(groups.commitOffsets(GroupApi.caller(request), body)
                .thenApply(answer -> refusals.merge(answer).build().data()));
    }

    private List<OffsetCommitRequestTopic> keepKnown(
            List<OffsetCommitRequestTopic> asked, boolean byId, OffsetCommitResponse.Builder refusals) {
        ClusterImage now = image.get();
        List<OffsetCommitRequestTopic> known = new ArrayList<>(asked.size());
        for (OffsetCommitRequestTopic topic : asked) {
            TopicView view = byId ? now.topic(topic.topicId()) : now.topic(topic.name());
            if (view == null) {
                refusals.addPartitions(
                        topic.topicId(),
                        topic.name(),
                        topic.partitions(),
                        OffsetCommitRequestPartition::partitionIndex,
                        byId ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION);
                continue;
            }
            topic.setName(view.name());
            topic.setPartitions(keepKnown(topic, view, refusals));
            if (!topic.partitions().isEmpty()) {
                known.add(topic);
            }
        }
        return known;
    }

    private static List<OffsetCommitRequestPartition> keepKnown(
            OffsetCommitRequestTopic topic, TopicView view, OffsetCommitResponse.Builder refusals) {
        List<OffsetCommitRequestPartition> known =
                new ArrayList<>(topic.partitions().size());
        for (OffsetCommitRequestPartition partition : topic.partitions()) {
            if (view.partition(partition.partitionIndex()) != null) {
                known.add(partition);
            } else {
                refusals.addPartition(
                        topic.topicId(), topic.name(), partition.partitionIndex(), Errors.UNKNOWN_TOPIC_OR_PARTITION);
            }
        }
        return known;
    }
}
