package io.highwater.broker.api.cluster;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.vertx.core.Future;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/**
 * Answers the APIs that only the active controller can answer, in every version, by asking it. Waits for its answer or for
 * {@code request.timeout.ms}.
 *
 * @param <Q> the message that requests of this API carry
 */
final class ForwardHandler<Q extends ApiMessage> implements ApiHandler<Q> {
    private final Forwarding forwarding;

    ForwardHandler(Forwarding forwarding) {
        this.forwarding = forwarding;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, Q body) {
        return forwarding.forward(request, body).map(answer -> answer);
    }
}
