package io.highwater.broker.api;

import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.TopicView;
import io.highwater.coordination.group.GroupCoordination;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestPartition;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopicCollection;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetDeleteResponse;
import org.jspecify.annotations.Nullable;

/** Removes committed offsets of topics that exist and no member subscribes. Waits for the in-sync replicas. There is only v0. */
final class OffsetDeleteHandler implements ApiHandler<OffsetDeleteRequestData> {
    private final GroupCoordination groups;
    private final Supplier<ClusterImage> image;

    OffsetDeleteHandler(GroupCoordination groups, Supplier<ClusterImage> image) {
        this.groups = groups;
        this.image = image;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, OffsetDeleteRequestData body) {
        OffsetDeleteResponse.Builder refusals = new OffsetDeleteResponse.Builder();
        OffsetDeleteRequestData known =
                new OffsetDeleteRequestData().setGroupId(body.groupId()).setTopics(keepKnown(body.topics(), refusals));
        return GroupApi.answer(groups.deleteOffsets(GroupApi.caller(request), known)
                .thenApply(answer -> refusals.merge(answer).build().data()));
    }

    private OffsetDeleteRequestTopicCollection keepKnown(
            Iterable<OffsetDeleteRequestTopic> asked, OffsetDeleteResponse.Builder refusals) {
        ClusterImage now = image.get();
        OffsetDeleteRequestTopicCollection known = new OffsetDeleteRequestTopicCollection();
        for (OffsetDeleteRequestTopic topic : asked) {
            TopicView view = now.topic(topic.name());
            List<OffsetDeleteRequestPartition> partitions = new ArrayList<>();
            for (OffsetDeleteRequestPartition partition : topic.partitions()) {
                if (view != null && view.partition(partition.partitionIndex()) != null) {
                    partitions.add(partition);
                } else {
                    refusals.addPartition(topic.name(), partition.partitionIndex(), Errors.UNKNOWN_TOPIC_OR_PARTITION);
                }
            }
            if (!partitions.isEmpty()) {
                known.add(new OffsetDeleteRequestTopic().setName(topic.name()).setPartitions(partitions));
            }
        }
        return known;
    }
}
