package io.highwater.broker.disk;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few threads that may block. Work waits in one queue, bounded by {@link #MAX_WAITING}; beyond that it is refused, which
 * its owner sees as a failed future. Any thread may submit.
 */
public final class DiskWorkers implements AutoCloseable {
    /** More tasks than this in the queue mean that the disk has stopped answering. */
    static final int MAX_WAITING = 100_000;

    private static final Logger LOG = LoggerFactory.getLogger(DiskWorkers.class);
    private static final long CLOSE_WAIT_SECONDS = 30;

    private final ScheduledThreadPoolExecutor executor;

    /** Starts {@code threads} workers. */
    public DiskWorkers(int threads) {
        AtomicInteger number = new AtomicInteger();
        executor = new ScheduledThreadPoolExecutor(threads, task -> {
            Thread thread = new Thread(task, "highwater-disk-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** A piece of work that may wait for a disk. */
    @FunctionalInterface
    public interface Task {
        /** Does it; what it throws is the failure of the future, or is logged for work that comes round. */
        void run() throws Exception;
    }

    /** Does the work soon. The future completes on a worker; it fails with what the work threw, or if the queue is full. */
    public <T> Future<T> submit(Callable<T> work) {
        Promise<T> promise = Promise.promise();
        Runnable task = () -> {
            try {
                promise.complete(work.call());
            } catch (Throwable e) {
                promise.fail(e);
            }
        };
        if (executor.getQueue().size() >= MAX_WAITING) {
            return Future.failedFuture(new RejectedExecutionException("more than " + MAX_WAITING + " disk tasks wait"));
        }
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            return Future.failedFuture(e);
        }
        return promise.future();
    }

    /** As {@link #submit}, for work without a result. */
    public Future<Void> run(Task work) {
        return submit(() -> {
            work.run();
            return null;
        });
    }

    /**
     * Does the work once, not before {@code delayMs} have passed; never, if closed before. What it throws is logged.
     *
     * @return cancels it if it has not begun
     */
    public Runnable after(long delayMs, String name, Task work) {
        ScheduledFuture<?> scheduled = executor.schedule(() -> runLogging(name, work), delayMs, TimeUnit.MILLISECONDS);
        return () -> scheduled.cancel(false);
    }

    /**
     * Does the work again and again, {@code intervalMs} after it has ended the last time. What it throws is logged and does
     * not end the round.
     *
     * @param firstMs how long to wait before the first time
     * @return ends it
     */
    public Runnable every(long firstMs, long intervalMs, String name, Task work) {
        ScheduledFuture<?> scheduled = executor.scheduleWithFixedDelay(
                () -> runLogging(name, work), firstMs, intervalMs, TimeUnit.MILLISECONDS);
        return () -> scheduled.cancel(false);
    }

    /** How many tasks wait, those that come round included. */
    public int waiting() {
        return executor.getQueue().size();
    }

    /** Takes no more work, finishes what was submitted, drops what was only scheduled. Blocks. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("Disk work has not ended within {} s and is given up", CLOSE_WAIT_SECONDS);
                executor.shutdownNow();
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private static void runLogging(String name, Task work) {
        try {
            work.run();
        } catch (Throwable e) {
            LOG.error("{} failed", name, e);
        }
    }
}
