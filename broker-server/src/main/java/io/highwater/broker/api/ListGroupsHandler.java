package io.highwater.broker.api;

import io.highwater.coordination.group.GroupCoordination;
import io.vertx.core.Future;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/** Lists the groups that this broker coordinates. Does not wait. v4 filters by state, v5 by type. */
final class ListGroupsHandler implements ApiHandler<ListGroupsRequestData> {
    private final GroupCoordination groups;

    ListGroupsHandler(GroupCoordination groups) {
        this.groups = groups;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, ListGroupsRequestData body) {
        return GroupApi.answer(groups.listGroups(GroupApi.caller(request), body));
    }
}
