package io.highwater.broker.http;

import io.vertx.core.http.HttpServerRequest;

/** Answers some of the requests. Event loops. */
@FunctionalInterface
public interface HttpRoutes {
    /** True if the request is one of these; then it is answered, now or later. */
    boolean take(HttpServerRequest request);
}
