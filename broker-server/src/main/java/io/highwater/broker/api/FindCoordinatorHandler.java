package io.highwater.broker.api;

import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import io.highwater.controlplane.TopicView;
import io.highwater.coordination.group.GroupCoordination;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FindCoordinatorRequest.CoordinatorType;
import org.jspecify.annotations.Nullable;

/**
 * Tells which broker leads the partition of {@code __consumer_offsets} that owns a group. Never waits: while the topic is being created, or
 * its partition has no leader, the client is told COORDINATOR_NOT_AVAILABLE and asks again.
 *
 * <p>Up to v3 one key and one answer at the top level with a message even without an error, from v4 any number of keys.
 */
final class FindCoordinatorHandler implements ApiHandler<FindCoordinatorRequestData> {
    private static final int BATCHED_FROM = 4;

    private final Supplier<ClusterImage> image;
    private final OffsetsTopic offsetsTopic;

    FindCoordinatorHandler(Supplier<ClusterImage> image, OffsetsTopic offsetsTopic) {
        this.image = image;
        this.offsetsTopic = offsetsTopic;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, FindCoordinatorRequestData body) {
        String listener = request.client().listener().value();
        FindCoordinatorResponseData answer = new FindCoordinatorResponseData();
        if (request.version() >= BATCHED_FROM) {
            for (String key : body.coordinatorKeys()) {
                answer.coordinators().add(find(body.keyType(), key, listener));
            }
        } else {
            Coordinator found = find(body.keyType(), body.key(), listener);
            String message = found.errorMessage().isEmpty()
                    ? Errors.forCode(found.errorCode()).message()
                    : found.errorMessage();
            answer.setErrorCode(found.errorCode())
                    .setErrorMessage(message)
                    .setNodeId(found.nodeId())
                    .setHost(found.host())
                    .setPort(found.port());
        }
        return GroupApi.answer(answer);
    }

    private Coordinator find(byte keyType, String key, String listener) {
        if (keyType == CoordinatorType.GROUP.id()) {
            return findGroup(key, listener);
        }
        if (keyType == CoordinatorType.TRANSACTION.id()) {
            // Not "not available": the client would ask again for a minute before it told its user.
            return refused(key, Errors.UNSUPPORTED_VERSION, "this broker does not coordinate transactions");
        }
        return refused(key, Errors.INVALID_REQUEST, "no coordinator of type " + keyType + " here");
    }

    private Coordinator findGroup(String groupId, String listener) {
        ClusterImage now = image.get();
        TopicView topic = now.topic(OffsetsTopic.NAME);
        if (topic == null) {
            offsetsTopic.create();
            return refused(groupId, Errors.COORDINATOR_NOT_AVAILABLE, offsetsTopic.lastRefusal());
        }
        PartitionView partition = topic.partition(
                GroupCoordination.partitionFor(groupId, topic.partitions().size()));
        Optional<Node> leader = partition == null ? Optional.empty() : now.aliveNode(partition.leader(), listener);
        return leader.map(node -> found(groupId, node))
                .orElseGet(() -> refused(groupId, Errors.COORDINATOR_NOT_AVAILABLE, null));
    }

    private static Coordinator found(String key, Node node) {
        return new Coordinator()
                .setKey(key)
                .setNodeId(node.id())
                .setHost(node.host())
                .setPort(node.port());
    }

    private static Coordinator refused(String key, Errors error, @Nullable String reason) {
        return found(key, Node.noNode()).setErrorCode(error.code()).setErrorMessage(reason == null ? "" : reason);
    }
}
