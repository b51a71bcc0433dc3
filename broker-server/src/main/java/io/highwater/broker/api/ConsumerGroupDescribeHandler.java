package io.highwater.broker.api;

import io.highwater.coordination.group.GroupCoordination;
import io.vertx.core.Future;
import java.util.List;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ConsumerGroupDescribeRequest;
import org.jspecify.annotations.Nullable;

/**
 * Describes groups of the consumer protocol (KIP-848). Does not wait. Groups of other types are GROUP_ID_NOT_FOUND, which makes clients ask
 * DescribeGroups instead. v1 tells classic members of a mixed group apart.
 */
final class ConsumerGroupDescribeHandler implements ApiHandler<ConsumerGroupDescribeRequestData> {
    private final GroupCoordination groups;
    private final ConsumerProtocol protocol;

    ConsumerGroupDescribeHandler(GroupCoordination groups, ConsumerProtocol protocol) {
        this.groups = groups;
        this.protocol = protocol;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, ConsumerGroupDescribeRequestData body) {
        List<String> ids = body.groupIds();
        if (!protocol.enabled()) {
            return GroupApi.answer(new ConsumerGroupDescribeResponseData()
                    .setGroups(
                            ConsumerGroupDescribeRequest.getErrorDescribedGroupList(ids, Errors.UNSUPPORTED_VERSION)));
        }
        return GroupApi.answer(groups.consumerGroupDescribe(GroupApi.caller(request), ids)
                .thenApply(described -> {
                    if (body.includeAuthorizedOperations()) {
                        described.forEach(ConsumerGroupDescribeHandler::tellOperations);
                    }
                    return new ConsumerGroupDescribeResponseData().setGroups(described);
                }));
    }

    private static void tellOperations(DescribedGroup group) {
        if (group.errorCode() == Errors.NONE.code()) {
            group.setAuthorizedOperations(AuthorizedOperations.ALL_OF_GROUP);
        }
    }
}
