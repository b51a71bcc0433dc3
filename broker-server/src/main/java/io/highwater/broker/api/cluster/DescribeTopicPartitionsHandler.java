package io.highwater.broker.api.cluster;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.api.AuthorizedOperations;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import io.highwater.controlplane.TopicView;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.Cursor;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponsePartition;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeTopicPartitionsRequest;
import org.jspecify.annotations.Nullable;

/**
 * Describes topics page by page, in order of their names. A page ends at the smaller of the client's limit and {@code
 * max.request.partition.size.limit} partitions; the answer then says where the next one begins. Never waits.
 */
final class DescribeTopicPartitionsHandler implements ApiHandler<DescribeTopicPartitionsRequestData> {
    private final ClusterNeeds needs;

    DescribeTopicPartitionsHandler(ClusterNeeds needs) {
        this.needs = needs;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, DescribeTopicPartitionsRequestData body) {
        Optional<String> wrong = whatIsWrong(body);
        return Future.succeededFuture(
                wrong.isPresent()
                        ? new DescribeTopicPartitionsRequest(body, request.version())
                                .getErrorResponse(0, new InvalidRequestException(wrong.get()))
                                .data()
                        : answer(request.client().listener().value(), body));
    }

    private static Optional<String> whatIsWrong(DescribeTopicPartitionsRequestData body) {
        DescribeTopicPartitionsRequestData.Cursor cursor = body.cursor();
        if (cursor == null) {
            return Optional.empty();
        }
        if (!body.topics().isEmpty() && !names(body).contains(cursor.topicName())) {
            return Optional.of("the cursor's topic " + cursor.topicName() + " is not among those asked for");
        }
        return cursor.partitionIndex() < 0
                ? Optional.of("the cursor's partition " + cursor.partitionIndex() + " is negative")
                : Optional.empty();
    }

    private DescribeTopicPartitionsResponseData answer(String listener, DescribeTopicPartitionsRequestData body) {
        ClusterImage image = needs.controlPlane().image();
        boolean all = body.topics().isEmpty();
        DescribeTopicPartitionsRequestData.Cursor cursor = body.cursor();
        TreeSet<String> wanted = new TreeSet<>(all ? image.topicNames() : names(body));
        Collection<String> names = cursor == null ? wanted : wanted.tailSet(cursor.topicName(), true);
        int limit = Math.min(
                needs.config().current().getInt("max.request.partition.size.limit"), body.responsePartitionLimit());
        Page page = new Page(new ReplicaSight(image, listener), Math.max(limit, 1));
        for (String name : names) {
            int from = cursor != null && name.equals(cursor.topicName()) ? cursor.partitionIndex() : 0;
            if (!page.add(name, from, !all)) {
                break;
            }
        }
        return page.answer;
    }

    private static List<String> names(DescribeTopicPartitionsRequestData body) {
        return body.topics().stream().map(TopicRequest::name).toList();
    }

    /** One answer on its way. */
    private static final class Page {
        private final DescribeTopicPartitionsResponseData answer = new DescribeTopicPartitionsResponseData();
        private final ReplicaSight sight;

        /** Partitions that still fit. */
        private int room;

        private Page(ReplicaSight sight, int room) {
            this.sight = sight;
            this.room = room;
        }

        /** Adds what fits; false when the page is full and the rest belongs on the next. */
        private boolean add(String name, int from, boolean tellWhenMissing) {
            if (room == 0) {
                return endsAt(name, 0);
            }
            TopicView topic = sight.image().topic(name);
            if (topic == null) {
                if (tellWhenMissing) {
                    answer.topics().add(missing(name));
                }
                return true;
            }
            int end = (int) Math.min(topic.partitions().size(), (long) from + room);
            List<DescribeTopicPartitionsResponsePartition> partitions = new ArrayList<>();
            for (int index = from; index < end; index++) {
                partitions.add(partition(topic.partitions().get(index)));
            }
            answer.topics()
                    .add(new DescribeTopicPartitionsResponseTopic()
                            .setName(name)
                            .setTopicId(topic.id())
                            .setIsInternal(Topic.isInternal(name))
                            .setTopicAuthorizedOperations(AuthorizedOperations.ALL_OF_TOPIC)
                            .setPartitions(partitions));
            room -= partitions.size();
            return end == topic.partitions().size() || endsAt(name, end);
        }

        private boolean endsAt(String name, int partition) {
            answer.setNextCursor(new Cursor().setTopicName(name).setPartitionIndex(partition));
            return false;
        }

        private static DescribeTopicPartitionsResponseTopic missing(String name) {
            return new DescribeTopicPartitionsResponseTopic()
                    .setErrorCode((TopicAutoCreation.isValid(name)
                                    ? Errors.UNKNOWN_TOPIC_OR_PARTITION
                                    : Errors.INVALID_TOPIC_EXCEPTION)
                            .code())
                    .setName(name)
                    .setIsInternal(Topic.isInternal(name))
                    .setTopicAuthorizedOperations(AuthorizedOperations.ALL_OF_TOPIC);
        }

        private DescribeTopicPartitionsResponsePartition partition(PartitionView partition) {
            return new DescribeTopicPartitionsResponsePartition()
                    .setPartitionIndex(partition.index())
                    .setLeaderId(sight.leader(partition).map(Node::id).orElse(PartitionView.NO_LEADER))
                    .setLeaderEpoch(partition.leaderEpoch())
                    .setReplicaNodes(partition.replicas())
                    .setIsrNodes(partition.inSyncReplicas())
                    .setOfflineReplicas(sight.offline(partition))
                    .setEligibleLeaderReplicas(partition.eligibleLeaderReplicas())
                    .setLastKnownElr(partition.lastKnownElr());
        }
    }
}
