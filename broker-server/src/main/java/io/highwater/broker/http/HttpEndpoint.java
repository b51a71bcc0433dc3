package io.highwater.broker.http;

import io.highwater.broker.metrics.Metrics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /metrics} in Prometheus' text format, {@code /healthz} (the process answers) and {@code /readyz} (it serves clients).
 */
public final class HttpEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

    /** Of bytes; a stream names up to {@link LiveStream#MOST_PARTITIONS} partitions in it. */
    private static final int LONGEST_REQUEST_LINE = 1 << 16;

    /** Each needs a worker, and waits for the one before it. */
    static final int MOST_SCRAPES = 8;

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int BAD_REQUEST = 400;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int FAILED = 500;
    private static final int UNAVAILABLE = 503;

    private final Vertx vertx;
    private final Metrics metrics;
    private final Supplier<@Nullable String> notReadyBecause;
    private final HttpSecurity security;
    private final HttpGuard guard;
    private final List<HttpRoutes> routes;
    private final HttpConnections connections;
    private final AtomicInteger scrapes = new AtomicInteger();
    private @Nullable HttpServer server;

    /** With nothing but metrics and health, for everybody; see {@link #HttpEndpoint(Vertx, Metrics, Supplier, HttpSecurity, List)}. */
    public HttpEndpoint(Vertx vertx, Metrics metrics, Supplier<@Nullable String> notReadyBecause) {
        this(vertx, metrics, notReadyBecause, HttpSecurity.NONE, List.of());
    }

    /**
     * Opens nothing yet.
     *
     * @param notReadyBecause why clients cannot be served at the moment, or null if they can; asked on event loops
     * @param routes what else is answered; the first that takes a request has it
     */
    public HttpEndpoint(
            Vertx vertx,
            Metrics metrics,
            Supplier<@Nullable String> notReadyBecause,
            HttpSecurity security,
            List<HttpRoutes> routes) {
        this(vertx, metrics, notReadyBecause, security, routes, HttpConnections.Limits.USUAL);
    }

    HttpEndpoint(
            Vertx vertx,
            Metrics metrics,
            Supplier<@Nullable String> notReadyBecause,
            HttpSecurity security,
            List<HttpRoutes> routes,
            HttpConnections.Limits limits) {
        this.vertx = vertx;
        this.metrics = metrics;
        this.notReadyBecause = notReadyBecause;
        this.security = security;
        this.guard = new HttpGuard(security);
        this.routes = List.copyOf(routes);
        this.connections = new HttpConnections(limits, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    /**
     * Starts to listen. Once.
     *
     * @param port {@code highwater.http.port}; 0 for any free one
     * @param host {@code highwater.http.host}
     * @return the port; fails with a sentence that names the setting and the address
     */
    public Future<Integer> start(String host, int port) {
        HttpServerOptions options = new HttpServerOptions()
                .setHost(host)
                .setPort(port)
                .setMaxInitialLineLength(LONGEST_REQUEST_LINE)
                // Nobody needs it, and it would change what a connection is on its way.
                .setHttp2ClearTextEnabled(false);
        security.secure(options);
        HttpServer newServer = vertx.createHttpServer(options);
        server = newServer;
        connections.watch(vertx);
        return newServer
                .connectionHandler(connections::opened)
                .requestHandler(this::handleReadable)
                .listen()
                .map(HttpServer::actualPort)
                .recover(cause -> Future.failedFuture(new IOException(
                        "highwater.http.port: cannot listen on " + host + ":" + port + ": " + cause.getMessage(),
                        cause)));
    }

    /** Stops listening and closes its connections. */
    public Future<Void> close() {
        HttpServer open = server;
        server = null;
        connections.stop(vertx);
        return open == null ? Future.succeededFuture() : open.close();
    }

    /** A query is decoded when it is first asked for, deep inside a route; one that cannot be must have its answer as well. */
    private void handleReadable(HttpServerRequest request) {
        connections.asked(request);
        try {
            request.params();
        } catch (IllegalArgumentException e) {
            Answers.error(
                    request, BAD_REQUEST, "the query cannot be decoded: a % is followed by two hexadecimal digits");
            return;
        }
        handle(request);
    }

    private void handle(HttpServerRequest request) {
        if (!guard.admits(request)) {
            return;
        }
        for (HttpRoutes each : routes) {
            if (each.take(request)) {
                return;
            }
        }
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            answer(request, METHOD_NOT_ALLOWED, TEXT, "only GET\n");
            return;
        }
        switch (request.path()) {
            case "/metrics" -> scrape(request);
            case "/healthz" -> answer(request, OK, TEXT, "ok\n");
            case "/readyz" -> ready(request);
            default -> answer(request, NOT_FOUND, TEXT, "there are /metrics, /healthz, /readyz and /api/\n");
        }
    }

    private void ready(HttpServerRequest request) {
        String reason = notReadyBecause.get();
        if (reason == null) {
            answer(request, OK, TEXT, "ready\n");
        } else {
            answer(request, UNAVAILABLE, TEXT, "not ready: " + reason + "\n");
        }
    }

    private void scrape(HttpServerRequest request) {
        if (request.method().equals(HttpMethod.HEAD)) {
            answer(request, OK, PROMETHEUS_TEXT, "");
            return;
        }
        if (scrapes.incrementAndGet() > MOST_SCRAPES) {
            scrapes.decrementAndGet();
            answer(request, UNAVAILABLE, TEXT, MOST_SCRAPES + " scrapes are under way already\n");
            return;
        }
        HttpServerResponse response = request.response().setChunked(true).putHeader("Content-Type", PROMETHEUS_TEXT);
        vertx.executeBlocking(() -> {
                    metrics.scrape(new ScrapeStream(response));
                    return null;
                })
                .onComplete(done -> scrapes.decrementAndGet())
                .onSuccess(done -> response.end())
                .onFailure(cause -> broken(request, cause));
    }

    private static void broken(HttpServerRequest request, Throwable cause) {
        if (cause instanceof ScrapeStream.BrokenOffException) {
            LOG.debug("{} broke off its scrape: {}", request.remoteAddress(), cause.getMessage());
        } else {
            LOG.error("metrics cannot be written", cause);
        }
        if (request.response().headWritten()) {
            request.response().reset();
        } else {
            request.response().setChunked(false);
            answer(request, FAILED, TEXT, "metrics cannot be written: " + cause + "\n");
        }
    }

    private static void answer(HttpServerRequest request, int status, String type, String body) {
        request.response()
                .setStatusCode(status)
                .putHeader("Content-Type", type)
                .end(request.method().equals(HttpMethod.HEAD) ? "" : body)
                .onFailure(cause -> LOG.debug("{} went away: {}", request.remoteAddress(), cause.toString()));
    }
}
