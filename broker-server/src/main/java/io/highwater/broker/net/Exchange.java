package io.highwater.broker.net;

import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.metrics.AnsweredRequest;
import io.highwater.wire.frame.Request;
import io.netty.buffer.ByteBuf;
import io.vertx.core.AsyncResult;
import io.vertx.core.Handler;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way to its answer: its place in the line of its connection, and its hold on the frame. The line belongs to
 * the event loop; {@link #run} and {@link #handle} may come from any thread.
 */
final class Exchange implements Runnable, Handler<AsyncResult<@Nullable ApiMessage>>, AnsweredRequest {
    private final Connection connection;
    private final Request request;
    private final long arrivalNanos;
    private final AtomicReference<@Nullable ByteBuf> frame;

    /** Loop only: when the handler returned. */
    private long handledNanos;

    /** Loop only: when the answer was known. */
    private long answeredNanos;

    /** Loop only: whether the answer is known. */
    private boolean done;

    /** Loop only: null before the answer is known, and when there is none. */
    private @Nullable ApiMessage answer;

    /** @param frame owned by this exchange from now on; null if the body does without it */
    Exchange(Connection connection, Request request, long arrivalNanos, @Nullable ByteBuf frame) {
        this.connection = connection;
        this.request = request;
        this.arrivalNanos = arrivalNanos;
        this.frame = new AtomicReference<>(frame);
    }

    /** Nobody looks at the records any more. Any thread, any number of times. */
    @Override
    public void run() {
        ByteBuf held = frame.getAndSet(null);
        if (held != null) {
            held.release();
            connection.onFrameReleased(request.sizeBytes());
        }
    }

    /** The handler has its result. Any thread, once. */
    @Override
    public void handle(AsyncResult<@Nullable ApiMessage> result) {
        connection.onResult(this, result);
    }

    /** Notes the answer; null for none. */
    void answered(@Nullable ApiMessage newAnswer, long nowNanos) {
        if (done) {
            throw new IllegalStateException(request.api().name + " request answered twice");
        }
        done = true;
        answer = newAnswer;
        answeredNanos = nowNanos;
    }

    void handled(long nowNanos) {
        handledNanos = nowNanos;
    }

    boolean isDone() {
        return done;
    }

    Request request() {
        return request;
    }

    ApiRequest toApiRequest() {
        return new ApiRequest(
                request.api(),
                request.header(),
                request.body(),
                request.sizeBytes(),
                connection.client(),
                arrivalNanos,
                this);
    }

    @Override
    public ApiKeys api() {
        return request.api();
    }

    @Override
    public short version() {
        return request.header().requestApiVersion();
    }

    @Override
    public ApiMessage body() {
        return request.body();
    }

    @Override
    public @Nullable ApiMessage answer() {
        return answer;
    }

    @Override
    public long arrivalNanos() {
        return arrivalNanos;
    }

    @Override
    public long handledNanos() {
        return handledNanos;
    }

    @Override
    public long answeredNanos() {
        return answeredNanos;
    }
}
