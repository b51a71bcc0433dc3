package io.highwater.broker.api.cluster;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Adds partitions to topics: the controller does, and the answer waits until the new leaders serve, at most for the request's timeout.
 * All versions alike; with {@code validateOnly} nothing is added and nothing waited for.
 */
final class CreatePartitionsHandler implements ApiHandler<CreatePartitionsRequestData> {
    private final Forwarding forwarding;
    private final LeaderWait leaderWait;

    CreatePartitionsHandler(Forwarding forwarding, LeaderWait leaderWait) {
        this.forwarding = forwarding;
        this.leaderWait = leaderWait;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, CreatePartitionsRequestData body) {
        return forwarding.forward(request, body).compose(answer -> {
            Map<String, Integer> grown = body.validateOnly() ? Map.of() : grown(body, answer);
            return leaderWait.until(grown, body.timeoutMs()).map(nothing -> answer);
        });
    }

    private static Map<String, Integer> grown(CreatePartitionsRequestData body, ApiMessage answer) {
        Map<String, Integer> grown = new HashMap<>();
        if (answer instanceof CreatePartitionsResponseData results) {
            results.results().stream()
                    .filter(result -> result.errorCode() == Errors.NONE.code())
                    .forEach(result -> {
                        CreatePartitionsTopic asked = body.topics().find(result.name());
                        grown.put(result.name(), asked == null ? 0 : asked.count());
                    });
        }
        return grown;
    }
}
