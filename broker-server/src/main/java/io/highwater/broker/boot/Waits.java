package io.highwater.broker.boot;

import io.vertx.core.Future;
import java.io.IOException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits on the main thread for what happens on others. */
final class Waits {
    /** So often a wait without end looks whether it is still wanted. */
    private static final long LOOK_MS = 50;

    private final StopRequest stopRequest;

    Waits(StopRequest stopRequest) {
        this.stopRequest = stopRequest;
    }

    /**
     * Waits at most {@code timeoutMs}.
     *
     * @throws IOException if it fails or is not done by then
     */
    <T> T until(Future<T> future, long timeoutMs) throws IOException {
        return until(future.toCompletionStage(), timeoutMs);
    }

    /** As {@link #until(Future, long)}. */
    <T> T until(CompletionStage<T> stage, long timeoutMs) throws IOException {
        try {
            return stage.toCompletableFuture().get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("not done within " + timeoutMs + " ms", e);
        } catch (ExecutionException e) {
            throw failure(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /**
     * Waits for as long as it takes, or until the node is to stop.
     *
     * @throws IOException if it fails
     * @throws StartRefusedException if the node is to stop
     */
    <T> T untilDone(CompletionStage<T> stage) throws IOException {
        while (true) {
            if (stopRequest.isAsked()) {
                throw new StartRefusedException("asked to stop while starting");
            }
            try {
                return stage.toCompletableFuture().get(LOOK_MS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // Look, and wait on.
            } catch (ExecutionException e) {
                throw failure(e);
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }
    }

    private static IOException failure(ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        if (cause instanceof RuntimeException runtime) {
            throw runtime;
        }
        return cause instanceof IOException io ? io : new IOException(Reason.of(cause), cause);
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IOException("interrupted", e);
    }
}
