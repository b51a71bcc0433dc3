package io.highwater.broker.http;

import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread on which answers for people are computed and written as text, so that event loops only carry them. It is started by the first
 * task. Any thread may use it.
 */
public final class ViewThread implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ViewThread.class);

    private final ScheduledThreadPoolExecutor executor;

    /** No thread yet. */
    public ViewThread() {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "highwater-view");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
    }

    /** Runs it soon; never once this is closed. */
    @Override
    public void execute(Runnable task) {
        try {
            executor.execute(guarded(task));
        } catch (RejectedExecutionException e) {
            LOG.debug("a question comes too late: the broker ends");
        }
    }

    /** Runs it again and again, that long after the end of each run, until it is cancelled or this is closed. */
    public Future<?> every(long periodMs, Runnable task) {
        return executor.scheduleWithFixedDelay(guarded(task), periodMs, periodMs, TimeUnit.MILLISECONDS);
    }

    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("A view could not be made", e);
            }
        };
    }

    /** Ends the thread; what it has not begun is dropped. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
