package io.highwater.testkit;

import io.highwater.broker.api.ApiRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.jspecify.annotations.Nullable;

/** One request in front of its handler. It is decided once; any thread may decide. */
final class WaitingRequest {
    private final ApiRequest request;
    private final OptionalInt sourceBroker;
    private final Set<String> topics;
    private final Executor loop;
    private final Supplier<Future<@Nullable ApiMessage>> onward;
    private final Promise<@Nullable ApiMessage> answer = Promise.promise();
    private final AtomicBoolean decided = new AtomicBoolean();
    private Runnable onDecided = () -> {};

    /** @param loop where the handler has to be called */
    WaitingRequest(
            ApiRequest request,
            OptionalInt sourceBroker,
            Set<String> topics,
            Executor loop,
            Supplier<Future<@Nullable ApiMessage>> onward) {
        this.request = request;
        this.sourceBroker = sourceBroker;
        this.topics = topics;
        this.loop = loop;
        this.onward = onward;
    }

    ApiKeys api() {
        return request.api();
    }

    String clientId() {
        return request.clientId();
    }

    ApiMessage body() {
        return request.body();
    }

    /** Which broker of the cluster has sent it; empty for a client's. */
    OptionalInt sourceBroker() {
        return sourceBroker;
    }

    /** Names of the topics it has to do with; empty if that cannot be told. */
    Set<String> topics() {
        return topics;
    }

    Future<@Nullable ApiMessage> answer() {
        return answer.future();
    }

    /** Called on the loop when the next one of the connection may go. Before it can be decided. */
    void onDecided(Runnable next) {
        onDecided = next;
    }

    /** To its handler. */
    void pass() {
        decide(() -> onward.get().onComplete(answer));
    }

    /** Answered with an error. */
    void fail(Errors error) {
        decide(() -> answer.complete(errorAnswer(error)));
    }

    /** Lost; its connection ends. */
    void disconnect() {
        decide(() -> answer.fail(new IOException("a fault of the test")));
    }

    /** Its broker ends: nothing happens to it, and what it holds is let go. On any thread, without its loop. */
    void drop() {
        if (decided.compareAndSet(false, true)) {
            answer.fail(new IOException("the broker ends"));
        }
    }

    private void decide(Runnable what) {
        if (!decided.compareAndSet(false, true)) {
            return;
        }
        try {
            loop.execute(() -> {
                try {
                    what.run();
                } catch (RuntimeException e) {
                    answer.tryFail(e);
                } finally {
                    onDecided.run();
                }
            });
        } catch (RejectedExecutionException e) {
            answer.tryFail(e); // its broker has ended
        }
    }

    private @Nullable ApiMessage errorAnswer(Errors error) {
        if (request.body() instanceof ProduceRequestData produce && produce.acks() == 0) {
            return null;
        }
        ByteBufferAccessor bytes = MessageUtil.toByteBufferAccessor(request.body(), request.version());
        return AbstractRequest.parseRequest(request.api(), request.version(), bytes)
                .request
                .getErrorResponse(0, error.exception())
                .data();
    }

    @Override
    public String toString() {
        return request.api().name
                + (sourceBroker.isPresent()
                        ? " from broker " + sourceBroker.getAsInt()
                        : " from \"" + clientId() + "\"")
                + (topics.isEmpty() ? "" : " on " + String.join(", ", topics));
    }
}
