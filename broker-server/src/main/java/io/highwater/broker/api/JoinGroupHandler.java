package io.highwater.broker.api;

import io.highwater.coordination.group.GroupCoordination;
import io.vertx.core.Future;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.JoinGroupResponse;
import org.jspecify.annotations.Nullable;

/**
 * A member of the classic protocol joins or rejoins. Waits until the rebalance has gathered its members: up to the rebalance timeout, for the
 * first one of a group {@code group.initial.rebalance.delay.ms}.
 *
 * <p>v1 has its own rebalance timeout; from v4 a new member is given its id first; v5 static members; before v7 the protocol's name may not be
 * null; v8 gives a reason; v9 may tell the leader to skip the assignment.
 */
final class JoinGroupHandler implements ApiHandler<JoinGroupRequestData> {
    private final GroupCoordination groups;

    JoinGroupHandler(GroupCoordination groups) {
        this.groups = groups;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, JoinGroupRequestData body) {
        if (request.version() == 0) {
            body.setRebalanceTimeoutMs(body.sessionTimeoutMs());
        }
        return GroupApi.answer(groups.joinGroup(GroupApi.caller(request), body)
                .thenApply(answer -> new JoinGroupResponse(answer, request.version()).data()));
    }
}
