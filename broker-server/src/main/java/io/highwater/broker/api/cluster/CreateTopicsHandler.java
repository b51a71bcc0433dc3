package io.highwater.broker.api.cluster;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Creates topics: the controller does, and the answer waits until the new leaders serve, at most for the request's timeout. All
 * versions alike; with {@code validateOnly} nothing is created and nothing waited for.
 */
final class CreateTopicsHandler implements ApiHandler<CreateTopicsRequestData> {
    private final Forwarding forwarding;
    private final LeaderWait leaderWait;

    CreateTopicsHandler(Forwarding forwarding, LeaderWait leaderWait) {
        this.forwarding = forwarding;
        this.leaderWait = leaderWait;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, CreateTopicsRequestData body) {
        return forwarding.forward(request, body).compose(answer -> {
            Map<String, Integer> created = body.validateOnly() ? Map.of() : created(answer);
            return leaderWait.until(created, body.timeoutMs()).map(nothing -> answer);
        });
    }

    private static Map<String, Integer> created(ApiMessage answer) {
        Map<String, Integer> created = new HashMap<>();
        if (answer instanceof CreateTopicsResponseData topics) {
            topics.topics().stream()
                    .filter(topic -> topic.errorCode() == Errors.NONE.code())
                    .forEach(topic -> created.put(topic.name(), 0));
        }
        return created;
    }
}
