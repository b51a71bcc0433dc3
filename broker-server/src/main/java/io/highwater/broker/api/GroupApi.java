package io.highwater.broker.api;

import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.ControlPlane;
import io.highwater.coordination.group.Caller;
import io.highwater.coordination.group.GroupCoordination;
import io.vertx.core.Future;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/** The handlers of all requests about groups, and what they share. */
public final class GroupApi {
    private GroupApi() {}

    /**
     * Adds the handlers to a router.
     *
     * @param controlPlane whose newest image says what exists, and whose controller creates the offsets topic
     * @param consumerProtocolAllowed {@code group.coordinator.rebalance.protocols} contains consumer
     * @param createTimeoutMs how long the controller may take to create the offsets topic
     */
    public static void addTo(
            RequestRouter.Builder router,
            GroupCoordination groups,
            ControlPlane controlPlane,
            boolean consumerProtocolAllowed,
            int createTimeoutMs) {
        Supplier<ClusterImage> image = controlPlane::image;
        OffsetsTopic offsetsTopic = new OffsetsTopic(groups, OffsetsTopic.through(controlPlane), createTimeoutMs);
        ConsumerProtocol protocol = new ConsumerProtocol(image, consumerProtocolAllowed);
        router.handle(
                        ApiKeys.FIND_COORDINATOR,
                        FindCoordinatorRequestData.class,
                        new FindCoordinatorHandler(image, offsetsTopic))
                .handle(ApiKeys.JOIN_GROUP, JoinGroupRequestData.class, new JoinGroupHandler(groups))
                .handle(ApiKeys.SYNC_GROUP, SyncGroupRequestData.class, new SyncGroupHandler(groups))
                .handle(ApiKeys.HEARTBEAT, HeartbeatRequestData.class, new HeartbeatHandler(groups))
                .handle(ApiKeys.LEAVE_GROUP, LeaveGroupRequestData.class, new LeaveGroupHandler(groups))
                .handle(ApiKeys.OFFSET_COMMIT, OffsetCommitRequestData.class, new OffsetCommitHandler(groups, image))
                .handle(ApiKeys.OFFSET_FETCH, OffsetFetchRequestData.class, new OffsetFetchHandler(groups, image))
                .handle(ApiKeys.OFFSET_DELETE, OffsetDeleteRequestData.class, new OffsetDeleteHandler(groups, image))
                .handle(ApiKeys.LIST_GROUPS, ListGroupsRequestData.class, new ListGroupsHandler(groups))
                .handle(ApiKeys.DESCRIBE_GROUPS, DescribeGroupsRequestData.class, new DescribeGroupsHandler(groups))
                .handle(ApiKeys.DELETE_GROUPS, DeleteGroupsRequestData.class, new DeleteGroupsHandler(groups))
                .handle(
                        ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                        ConsumerGroupHeartbeatRequestData.class,
                        new ConsumerGroupHeartbeatHandler(groups, protocol))
                .handle(
                        ApiKeys.CONSUMER_GROUP_DESCRIBE,
                        ConsumerGroupDescribeRequestData.class,
                        new ConsumerGroupDescribeHandler(groups, protocol));
    }

    static Caller caller(ApiRequest request) {
        Client client = request.client();
        return new Caller(
                request.api(),
                request.version(),
                request.clientId(),
                client.address().getAddress(),
                client.principal(),
                client.listener().value(),
                client.securityProtocol(),
                request.header().correlationId());
    }

    static Future<@Nullable ApiMessage> answer(CompletableFuture<? extends ApiMessage> answer) {
        return Future.fromCompletionStage(answer).map(message -> message);
    }

    static Future<@Nullable ApiMessage> answer(ApiMessage answer) {
        return Future.succeededFuture(answer);
    }
}
