package io.highwater.controlplane;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.jspecify.annotations.Nullable;

/**
 * Asks the active controller through its socket, and looks for it again whenever it has moved: a lost connection, a
 * NOT_CONTROLLER or another active controller only means another try. State is owned by the control thread.
 */
final class ControllerChannel implements AutoCloseable {
    /** A request that may wait for as long as it takes. */
    static final long NO_DEADLINE_MS = Long.MAX_VALUE;

    private static final long FIRST_BACKOFF_MS = 10;
    private static final long MAX_BACKOFF_MS = 500;

    private final NodeClient client;
    private final Supplier<Optional<Node>> activeController;
    private final ControlExecutor executor;
    private final Set<Question> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    ControllerChannel(NodeClient client, Supplier<Optional<Node>> activeController, ControlExecutor executor) {
        this.client = client;
        this.activeController = activeController;
        this.executor = executor;
    }

    /**
     * Asks. May be called from any thread.
     *
     * @param timeoutMs how long to look for a controller that answers, or {@link #NO_DEADLINE_MS}
     * @return the answer, whatever error it holds except NOT_CONTROLLER; fails with TimeoutException after the timeout,
     *     UnsupportedVersionException if the controller does not know the API, {@link ControlPlaneException} when closed
     */
    CompletionStage<AbstractResponse> ask(ApiMessage request, long timeoutMs) {
        Question question = new Question(request, timeoutMs);
        if (closed) {
            question.fail(closedException());
            return question.answer;
        }
        waiting.add(question);
        if (closed) {
            question.fail(closedException());
        }
        executor.run(question::attempt);
        return question.answer;
    }

    /**
     * Another controller may be active: whoever waits for the next try, or for one that is not active any more and may never answer, tries
     * now. May be called from any thread.
     */
    void controllerMayHaveChanged() {
        if (!waiting.isEmpty()) {
            executor.run(() -> waiting.forEach(Question::attemptElsewhere));
        }
    }

    /** Stops the connection; fails all that was not answered. */
    @Override
    public void close() {
        closed = true;
        client.close();
        waiting.forEach(question -> question.fail(closedException()));
    }

    private static ControlPlaneException closedException() {
        return new ControlPlaneException(ControlPlaneException.Reason.NOT_RUNNING, "the control plane is closed");
    }

    private final class Question {
        private final ApiMessage request;
        private final long deadlineNanos;
        private final boolean bounded;
        private final CompletableFuture<AbstractResponse> answer = new CompletableFuture<>();
        private long backoffMs = FIRST_BACKOFF_MS;
        private int tries;
        private int asks;

        /** Who has been asked and has not answered; null if nobody is. */
        private @Nullable Node asked;

        Question(ApiMessage request, long timeoutMs) {
            this.request = request;
            this.bounded = timeoutMs != NO_DEADLINE_MS;
            this.deadlineNanos = bounded ? System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs) : 0;
        }

        private boolean expired() {
            return bounded && System.nanoTime() - deadlineNanos >= 0;
        }

        void attemptElsewhere() {
            Node active = activeController.get().orElse(null);
            if (asked != null && active != null && active.id() != asked.id()) {
                asked = null;
            }
            // How long nobody was active says nothing about how soon this one answers.
            backoffMs = FIRST_BACKOFF_MS;
            attempt();
        }

        private void attempt() {
            if (answer.isDone() || asked != null) {
                return;
            }
            if (expired()) {
                fail(new TimeoutException("no active controller answered in time"));
                return;
            }
            Optional<Node> controller = activeController.get();
            if (controller.isEmpty()) {
                tryLater();
                return;
            }
            asked = controller.get();
            int thisAsk = ++asks;
            client.send(controller.get(), MessageRequest.of(request))
                    .whenComplete((response, failure) -> executor.run(() -> {
                        if (asks == thisAsk) {
                            onResponse(response, failure);
                        }
                    }));
        }

        private void onResponse(@Nullable AbstractResponse response, @Nullable Throwable failure) {
            asked = null;
            if (response != null && !response.errorCounts().containsKey(Errors.NOT_CONTROLLER)) {
                succeed(response);
            } else if (failure instanceof UnsupportedVersionException || failure instanceof AuthenticationException) {
                fail(failure);
            } else {
                tryLater();
            }
        }

        private void succeed(AbstractResponse response) {
            waiting.remove(this);
            answer.complete(response);
        }

        private void fail(Throwable why) {
            waiting.remove(this);
            answer.completeExceptionally(why);
        }

        private void tryLater() {
            int thisTry = ++tries;
            executor.after(backoffMs, () -> {
                if (tries == thisTry) {
                    attempt();
                }
            });
            backoffMs = Math.min(MAX_BACKOFF_MS, backoffMs * 2);
        }
    }
}
