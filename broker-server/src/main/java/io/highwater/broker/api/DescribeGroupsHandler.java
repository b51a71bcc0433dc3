package io.highwater.broker.api;

import io.highwater.coordination.group.GroupCoordination;
import io.vertx.core.Future;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Describes classic groups. Does not wait. v3 tells allowed operations if wanted, v4 instance ids; before v6 an unknown group is Dead without an
 * error, from v6 GROUP_ID_NOT_FOUND.
 */
final class DescribeGroupsHandler implements ApiHandler<DescribeGroupsRequestData> {
    private final GroupCoordination groups;

    DescribeGroupsHandler(GroupCoordination groups) {
        this.groups = groups;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, DescribeGroupsRequestData body) {
        return GroupApi.answer(groups.describeGroups(GroupApi.caller(request), body.groups())
                .thenApply(described -> {
                    if (body.includeAuthorizedOperations()) {
                        described.forEach(DescribeGroupsHandler::tellOperations);
                    }
                    return new DescribeGroupsResponseData().setGroups(described);
                }));
    }

    private static void tellOperations(DescribedGroup group) {
        if (group.errorCode() == Errors.NONE.code()) {
            group.setAuthorizedOperations(AuthorizedOperations.ALL_OF_GROUP);
        }
    }
}
