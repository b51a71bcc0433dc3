package io.highwater.broker.api;

import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.TopicView;
import io.highwater.coordination.group.Caller;
import io.highwater.coordination.group.GroupCoordination;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetFetchRequest;
import org.apache.kafka.common.requests.OffsetFetchResponse;
import org.jspecify.annotations.Nullable;

/**
 * Tells committed offsets: of partitions named, or (topics null) all of a group. Topics need not exist when asked by name. Waits only when the
 * client wants stable offsets: for the commits before it.
 *
 * <p>v2 errors of the whole request, all topics; v5 leader epochs; v7 stable offsets; v8 many groups; v9 KIP-848 member epochs; from v10 topics
 * go by id.
 */
final class OffsetFetchHandler implements ApiHandler<OffsetFetchRequestData> {
    private static final int MANY_GROUPS_FROM = 8;

    private final GroupCoordination groups;
    private final Supplier<ClusterImage> image;

    OffsetFetchHandler(GroupCoordination groups, Supplier<ClusterImage> image) {
        this.groups = groups;
        this.image = image;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, OffsetFetchRequestData body) {
        Caller caller = GroupApi.caller(request);
        List<OffsetFetchRequestGroup> asked =
                request.version() >= MANY_GROUPS_FROM ? body.groups() : List.of(onlyGroup(body));
        List<CompletableFuture<OffsetFetchResponseGroup>> answers = new ArrayList<>(asked.size());
        for (OffsetFetchRequestGroup group : asked) {
            answers.add(
                    OffsetFetchRequest.useTopicIds(request.version())
                            ? fetchById(caller, group, body.requireStable())
                            : groups.fetchOffsets(caller, group, body.requireStable()));
        }
        return GroupApi.answer(CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0]))
                .thenApply(all -> new OffsetFetchResponse.Builder(
                                answers.stream().map(CompletableFuture::join).toList())
                        .build(request.version())
                        .data()));
    }

    private static OffsetFetchRequestGroup onlyGroup(OffsetFetchRequestData body) {
        OffsetFetchRequestGroup group = new OffsetFetchRequestGroup().setGroupId(body.groupId());
        List<OffsetFetchRequestTopic> topics = body.topics();
        if (topics == null) {
            return group.setTopics(null);
        }
        for (OffsetFetchRequestTopic topic : topics) {
            group.topics()
                    .add(new OffsetFetchRequestTopics()
                            .setName(topic.name())
                            .setPartitionIndexes(topic.partitionIndexes()));
        }
        return group;
    }

    private CompletableFuture<OffsetFetchResponseGroup> fetchById(
            Caller caller, OffsetFetchRequestGroup group, boolean requireStable) {
        if (group.topics() == null) {
            return groups.fetchOffsets(caller, group, requireStable).thenApply(this::withIds);
        }
        List<OffsetFetchResponseTopics> unknown = new ArrayList<>();
        List<OffsetFetchRequestTopics> known = new ArrayList<>(group.topics().size());
        ClusterImage now = image.get();
        for (OffsetFetchRequestTopics topic : group.topics()) {
            TopicView view = now.topic(topic.topicId());
            if (view == null) {
                unknown.add(unknown(topic));
            } else {
                known.add(topic.setName(view.name()));
            }
        }
        return groups.fetchOffsets(caller, group.setTopics(known), requireStable)
                .thenApply(answer -> {
                    if (answer.errorCode() == Errors.NONE.code() && !unknown.isEmpty()) {
                        List<OffsetFetchResponseTopics> topics = new ArrayList<>(answer.topics());
                        topics.addAll(unknown);
                        answer.setTopics(topics);
                    }
                    return answer;
                });
    }

    /** Offsets of topics that are gone have no id to tell them by: left out. */
    private OffsetFetchResponseGroup withIds(OffsetFetchResponseGroup answer) {
        ClusterImage now = image.get();
        List<OffsetFetchResponseTopics> told = new ArrayList<>(answer.topics().size());
        for (OffsetFetchResponseTopics topic : answer.topics()) {
            TopicView view = now.topic(topic.name());
            if (view != null) {
                told.add(topic.setTopicId(view.id()));
            }
        }
        return answer.setTopics(told);
    }

    private static OffsetFetchResponseTopics unknown(OffsetFetchRequestTopics asked) {
        OffsetFetchResponseTopics topic = new OffsetFetchResponseTopics().setTopicId(asked.topicId());
        for (int partition : asked.partitionIndexes()) {
            topic.partitions()
                    .add(new OffsetFetchResponsePartitions()
                            .setPartitionIndex(partition)
                            .setCommittedOffset(OffsetFetchResponse.INVALID_OFFSET)
                            .setMetadata(OffsetFetchResponse.NO_METADATA)
                            .setErrorCode(Errors.UNKNOWN_TOPIC_ID.code()));
        }
        return topic;
    }
}
