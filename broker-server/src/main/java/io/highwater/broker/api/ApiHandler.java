package io.highwater.broker.api;

import io.vertx.core.Future;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/**
 * Answers the requests of one API. Called on the event loop of the connection, so it must not block; any number of requests,
 * also of one connection, may be under way at once.
 *
 * <p>The requests of one connection are handed over in the order they came, each without waiting for the answer to the one
 * before. What has to happen in that order (appending records) must have happened when {@code handle} returns.
 *
 * @param <Q> the message that requests of this API carry
 */
@FunctionalInterface
public interface ApiHandler<Q extends ApiMessage> {
    /**
     * Answers one request.
     *
     * @return completes, on any thread, with the answer; with null when the protocol knows no answer (acks=0). Completed at
     *     return is the fast path. Errors of the protocol are answers, not failures: a failed future, or an exception thrown
     *     from here, is logged as our mistake and answered with UNKNOWN_SERVER_ERROR; only an {@link UnanswerableException}
     *     closes the connection
     */
    Future<@Nullable ApiMessage> handle(ApiRequest request, Q body);
}
