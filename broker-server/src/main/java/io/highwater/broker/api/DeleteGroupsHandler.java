package io.highwater.broker.api;

import io.highwater.coordination.group.GroupCoordination;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/** Deletes empty groups of any type with their offsets. Waits for the in-sync replicas. A group named twice is answered once. */
final class DeleteGroupsHandler implements ApiHandler<DeleteGroupsRequestData> {
    private final GroupCoordination groups;

    DeleteGroupsHandler(GroupCoordination groups) {
        this.groups = groups;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, DeleteGroupsRequestData body) {
        return GroupApi.answer(
                groups.deleteGroups(GroupApi.caller(request), new ArrayList<>(new LinkedHashSet<>(body.groupsNames())))
                        .thenApply(results -> new DeleteGroupsResponseData().setResults(results)));
    }
}
