package io.highwater.testkit;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Stands in all event loops of a broker, so that none goes on. Opens by itself after a while. */
final class Gate {
    private final CountDownLatch open = new CountDownLatch(1);

    /**
     * Closes it, and returns when all loops stand still.
     *
     * @param atMost until it opens by itself
     */
    static Gate close(List<Executor> loops, Duration atMost) {
        Gate gate = new Gate();
        CountDownLatch standing = new CountDownLatch(loops.size());
        for (Executor loop : loops) {
            try {
                loop.execute(() -> gate.stand(standing, atMost));
            } catch (RejectedExecutionException e) {
                standing.countDown(); // it has ended
            }
        }
        Await.until(() -> standing.getCount() == 0, Await.PATIENCE, () -> standing.getCount() + " event loops go on");
        return gate;
    }

    void open() {
        open.countDown();
    }

    boolean isOpen() {
        return open.getCount() == 0;
    }

    private void stand(CountDownLatch standing, Duration atMost) {
        standing.countDown();
        try {
            if (!open.await(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
                open.countDown();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
