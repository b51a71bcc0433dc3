package io.highwater.controlplane;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.raft.ExpirationService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of this room's own small state machines (lifecycle, retries, batches of proposals) and the timer of the quorum. Nothing on it
 * blocks, so one is enough.
 */
final class ControlExecutor implements ExpirationService, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlExecutor.class);

    private static final int STOP_TIMEOUT_S = 2;

    private final ScheduledThreadPoolExecutor executor;

    ControlExecutor(int nodeId) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "highwater-" + nodeId + "-control");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
    }

    /** Runs the task soon, after those handed in before. Dropped when the room is closed. */
    void run(Runnable task) {
        after(0, task);
    }

    /** Runs the task in {@code delayMs}. Dropped when the room is closed. */
    void after(long delayMs, Runnable task) {
        try {
            ScheduledFuture<?> unused = executor.schedule(() -> guarded(task), delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.trace("too late for a task", closed);
        }
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException ours) {
            LOG.error("a task of the control plane failed", ours);
        }
    }

    @Override
    public <T> CompletableFuture<T> failAfter(long timeoutMs) {
        CompletableFuture<T> future = new CompletableFuture<>();
        try {
            ScheduledFuture<?> timer = executor.schedule(
                    () -> {
                        future.completeExceptionally(new TimeoutException("not within " + timeoutMs + " ms"));
                    },
                    timeoutMs,
                    TimeUnit.MILLISECONDS);
            CompletableFuture<T> unused = future.whenComplete((done, failed) -> timer.cancel(false));
        } catch (RejectedExecutionException closed) {
            future.completeExceptionally(new TimeoutException("the control plane is closed"));
        }
        return future;
    }

    /** Runs the task after all that was handed in before, and waits for it. Blocks. */
    void runLast(Runnable task) {
        CountDownLatch done = new CountDownLatch(1);
        run(() -> {
            try {
                task.run();
            } finally {
                done.countDown();
            }
        });
        try {
            if (!done.await(STOP_TIMEOUT_S, TimeUnit.SECONDS)) {
                LOG.warn("the control thread is still busy after {} s", STOP_TIMEOUT_S);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops the thread; what is scheduled does not run any more. Waits for the running task. */
    @Override
    public void close() {
        executor.shutdownNow();
        try {
            executor.awaitTermination(STOP_TIMEOUT_S, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
