package io.highwater.broker.api;

import io.vertx.core.Future;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the connections of a node and its handlers. Tests hold up, refuse and count requests there; a node that serves has none.
 * Called on the event loop of the connection, for the requests of one connection in the order they came.
 */
@FunctionalInterface
public interface RequestInterceptor {
    /**
     * Lets a request pass, now or later, or answers it itself.
     *
     * @param request with its records, which stay valid until the returned future completes
     * @param loop of the connection; {@code onward} has to be called there
     * @param onward hands the request to its handler; at most once, and for the requests of one connection in the order they came
     * @return what becomes of it, as {@link ApiHandler#handle} says; may complete on any thread
     */
    Future<@Nullable ApiMessage> intercept(
            ApiRequest request, Executor loop, Supplier<Future<@Nullable ApiMessage>> onward);
}
