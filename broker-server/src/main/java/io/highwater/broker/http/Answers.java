package io.highwater.broker.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How requests are answered. On the event loop of the request. */
final class Answers {
    static final String JSON = "application/json; charset=utf-8";

    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

    private Answers() {}

    /** One sentence, as {@code {"error": "..."}}. */
    static void error(HttpServerRequest request, int status, String sentence) {
        end(request, status, JSON, Buffer.buffer(Json.write(Map.of("error", sentence))));
    }

    static void end(HttpServerRequest request, int status, String type, Buffer body) {
        HttpServerResponse response = request.response();
        if (response.closed() || response.ended()) {
            return;
        }
        response.setStatusCode(status)
                .putHeader("Content-Type", type)
                .putHeader("Cache-Control", "no-store")
                .putHeader("X-Content-Type-Options", "nosniff");
        (request.method().equals(HttpMethod.HEAD) ? response.end() : response.end(body)).onFailure(Answers::wentAway);
    }

    static void wentAway(Throwable cause) {
        LOG.debug("a reader went away: {}", cause.toString());
    }
}
