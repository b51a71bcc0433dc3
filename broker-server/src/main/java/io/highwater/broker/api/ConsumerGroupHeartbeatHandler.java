package io.highwater.broker.api;

import io.highwater.coordination.group.GroupCoordination;
import io.vertx.core.Future;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * A member of the consumer protocol (KIP-848) joins, lives, leaves, and learns its assignment. Waits for what it changes to be replicated.
 * UNSUPPORTED_VERSION while the cluster does not speak the protocol. v1 subscribes by regular expression, and the client makes its own member id.
 */
final class ConsumerGroupHeartbeatHandler implements ApiHandler<ConsumerGroupHeartbeatRequestData> {
    private final GroupCoordination groups;
    private final ConsumerProtocol protocol;

    ConsumerGroupHeartbeatHandler(GroupCoordination groups, ConsumerProtocol protocol) {
        this.groups = groups;
        this.protocol = protocol;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, ConsumerGroupHeartbeatRequestData body) {
        if (!protocol.enabled()) {
            return GroupApi.answer(new ConsumerGroupHeartbeatResponseData()
                    .setErrorCode(Errors.UNSUPPORTED_VERSION.code())
                    .setErrorMessage(Errors.UNSUPPORTED_VERSION.message()));
        }
        return GroupApi.answer(groups.consumerGroupHeartbeat(GroupApi.caller(request), body));
    }
}
