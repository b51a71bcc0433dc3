package io.highwater.broker.http;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.Objects;

/**
 * A response that goes on as server-sent events. Written to by the view's thread; the socket's loop carries. What a reader does not take is not
 * stored up: while {@link #isBusy} nothing should be written.
 */
final class EventStream implements LiveStream.Sink {
    private final HttpServerResponse response;
    private final Context context;

    /** Handed to the loop and not written yet, or written and not taken by the socket. */
    private volatile boolean busy;

    private volatile boolean closed;

    /** On the response's event loop. */
    EventStream(HttpServerResponse response) {
        this.response = response;
        this.context = Objects.requireNonNull(Vertx.currentContext());
        response.setChunked(true)
                .putHeader("Content-Type", "text/event-stream; charset=utf-8")
                .putHeader("Cache-Control", "no-store")
                .putHeader("X-Accel-Buffering", "no")
                .putHeader("X-Content-Type-Options", "nosniff");
        response.exceptionHandler(cause -> closed = true);
        response.drainHandler(drained -> busy = false);
        response.write("retry: 1000\n\n").onFailure(Answers::wentAway);
    }

    @Override
    public boolean isBusy() {
        return busy;
    }

    @Override
    public void send(String event, Object data) {
        write("event: " + event + "\ndata: " + Json.write(data) + "\n\n");
    }

    @Override
    public void stillHere() {
        write(": still here\n\n");
    }

    private void write(String text) {
        busy = true;
        Buffer buffer = Buffer.buffer(text);
        context.runOnContext(hopped -> {
            if (closed || response.closed() || response.ended()) {
                return;
            }
            response.write(buffer).onFailure(Answers::wentAway);
            busy = response.writeQueueFull();
        });
    }

    @Override
    public void end() {
        closed = true;
        context.runOnContext(hopped -> {
            if (!response.closed() && !response.ended()) {
                // The reader does not read: waiting for it to take the rest would keep the connection.
                response.reset();
            }
        });
    }
}
