package io.highwater.broker.api;

import io.highwater.coordination.group.GroupCoordination;
import io.vertx.core.Future;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Brings the leader's assignments, and gives each member its own. Waits until the leader has come, up to the rebalance timeout.
 *
 * <p>v3 static members; from v5 protocol type and name must be given, and are told.
 */
final class SyncGroupHandler implements ApiHandler<SyncGroupRequestData> {
    private static final int PROTOCOL_NAMED_FROM = 5;

    private final GroupCoordination groups;

    SyncGroupHandler(GroupCoordination groups) {
        this.groups = groups;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, SyncGroupRequestData body) {
        if (request.version() >= PROTOCOL_NAMED_FROM && (body.protocolType() == null || body.protocolName() == null)) {
            return GroupApi.answer(new SyncGroupResponseData().setErrorCode(Errors.INCONSISTENT_GROUP_PROTOCOL.code()));
        }
        return GroupApi.answer(groups.syncGroup(GroupApi.caller(request), body));
    }
}
