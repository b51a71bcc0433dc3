package io.highwater.broker.api;

import io.highwater.coordination.group.GroupCoordination;
import io.vertx.core.Future;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/**
 * A member of the classic protocol says that it lives, and learns whether to rejoin. Does not wait. While the group's partition is loading the
 * answer is no error, so that nobody rejoins for that. v3 static members.
 */
final class HeartbeatHandler implements ApiHandler<HeartbeatRequestData> {
    private final GroupCoordination groups;

    HeartbeatHandler(GroupCoordination groups) {
        this.groups = groups;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, HeartbeatRequestData body) {
        return GroupApi.answer(groups.heartbeat(GroupApi.caller(request), body));
    }
}
