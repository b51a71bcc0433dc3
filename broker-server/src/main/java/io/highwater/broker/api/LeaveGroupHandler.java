package io.highwater.broker.api;

import io.highwater.coordination.group.GroupCoordination;
import io.vertx.core.Future;
import java.util.List;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.LeaveGroupResponse;
import org.jspecify.annotations.Nullable;

/**
 * Members leave, or are removed by an administrator. Waits for the group's new state to be replicated.
 *
 * <p>Up to v2 one member, whose error is the answer's; from v3 many, each with its own; v5 gives a reason.
 */
final class LeaveGroupHandler implements ApiHandler<LeaveGroupRequestData> {
    private static final int MANY_FROM = 3;

    private final GroupCoordination groups;

    LeaveGroupHandler(GroupCoordination groups) {
        this.groups = groups;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, LeaveGroupRequestData body) {
        if (request.version() < MANY_FROM) {
            body.setMembers(List.of(new MemberIdentity().setMemberId(body.memberId())));
        }
        return GroupApi.answer(groups.leaveGroup(GroupApi.caller(request), body)
                .thenApply(answer -> new LeaveGroupResponse(answer, request.version()).data()));
    }
}
