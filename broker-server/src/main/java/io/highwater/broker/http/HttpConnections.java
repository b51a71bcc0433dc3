package io.highwater.broker.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is connected. There is a bound to how many, and to how long one may be without a request that is being answered: whoever sends a request byte
 * by byte, or nothing, is closed. A newcomer beyond the bound takes the place of whoever has been without a request for longest. Event loops.
 */
final class HttpConnections {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnections.class);

    private final Limits limits;
    private final LongSupplier monotonicMs;
    private final Map<HttpConnection, Use> open = new ConcurrentHashMap<>();
    private long timer = -1;

    /**
     * What is allowed.
     *
     * @param most connections at once
     * @param firstRequestMs from the connection to the end of the first request's head
     * @param idleMs from the end of an answer to the end of the next request's head
     * @param lookMs how often that is looked at
     */
    record Limits(int most, long firstRequestMs, long idleMs, long lookMs) {
        /** Prometheus comes again within a minute, and brokers close what they have not used for as long. */
        static final Limits USUAL = new Limits(512, 10_000, 120_000, 2_000);
    }

    /** One connection. */
    private static final class Use {
        /** Requests that are being answered; several only with HTTP/2. */
        final AtomicInteger answering = new AtomicInteger();

        volatile long idleSinceMs;
        volatile long mostIdleMs;

        Use(long nowMs, long mostIdleMs) {
            this.idleSinceMs = nowMs;
            this.mostIdleMs = mostIdleMs;
        }

        boolean isIdle() {
            return answering.get() == 0;
        }
    }

    HttpConnections(Limits limits, LongSupplier monotonicMs) {
        this.limits = limits;
        this.monotonicMs = monotonicMs;
    }

    /** Looks after them from now on. */
    void watch(Vertx vertx) {
        timer = vertx.setPeriodic(limits.lookMs, now -> closeIdle());
    }

    /** No more. */
    void stop(Vertx vertx) {
        vertx.cancelTimer(timer);
    }

    void opened(HttpConnection connection) {
        connection.exceptionHandler(
                cause -> LOG.debug("{} broke its connection: {}", connection.remoteAddress(), cause.toString()));
        if (open.size() >= limits.most && !makeRoom()) {
            close(connection, "there are " + limits.most + " connections already, and all are in use");
            return;
        }
        open.put(connection, new Use(monotonicMs.getAsLong(), limits.firstRequestMs));
        connection.closeHandler(closed -> open.remove(connection));
    }

    /** A request's head is there; it is answered when its response has ended or its connection is gone. */
    void asked(HttpServerRequest request) {
        Use use = open.get(request.connection());
        if (use == null) {
            return; // too many: it is being closed
        }
        use.answering.incrementAndGet();
        request.response().endHandler(ended -> {
            use.idleSinceMs = monotonicMs.getAsLong();
            use.mostIdleMs = limits.idleMs;
            use.answering.decrementAndGet();
        });
    }

    /** How many there are. */
    int count() {
        return open.size();
    }

    private void closeIdle() {
        long nowMs = monotonicMs.getAsLong();
        open.forEach((connection, use) -> {
            if (use.isIdle() && nowMs - use.idleSinceMs >= use.mostIdleMs) {
                close(connection, "no request for " + use.mostIdleMs + " ms");
            }
        });
    }

    private boolean makeRoom() {
        HttpConnection idlest = null;
        long since = Long.MAX_VALUE;
        for (Map.Entry<HttpConnection, Use> each : open.entrySet()) {
            Use use = each.getValue();
            if (use.isIdle() && use.idleSinceMs < since) {
                idlest = each.getKey();
                since = use.idleSinceMs;
            }
        }
        return closed(idlest);
    }

    private boolean closed(@Nullable HttpConnection connection) {
        if (connection == null || open.remove(connection) == null) {
            return false;
        }
        close(connection, "another needs its place");
        return true;
    }

    private void close(HttpConnection connection, String reason) {
        open.remove(connection);
        LOG.debug("Closing {}: {}", connection.remoteAddress(), reason);
        connection.close().onFailure(Answers::wentAway);
    }
}
