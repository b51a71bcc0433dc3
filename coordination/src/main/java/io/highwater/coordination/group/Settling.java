package io.highwater.coordination.group;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Holds questions for the moment in which the library takes up the partitions of an election. They become ready one after the other, and a client
 * that was just answered about one must not hear of its neighbour that nobody coordinates there. What was held is asked in the order it came.
 *
 * <p>Any thread; guarded by itself. A question only queues work in the library, so it may run under this lock. Hot: {@link #ask}.
 */
final class Settling {
    /** The moment is over by then, whatever keeps it. */
    static final long LONGEST_HOLD_MS = 1_000;

    private final Queue<Runnable> held = new ArrayDeque<>();
    private volatile boolean holding;
    private int open;
    private int hold;

    /** One more thing to wait for. */
    synchronized void begin() {
        if (open++ == 0) {
            int thisHold = ++hold;
            holding = true;
            CompletableFuture.delayedExecutor(LONGEST_HOLD_MS, TimeUnit.MILLISECONDS)
                    .execute(() -> giveUp(thisHold));
        }
    }

    /** One thing less. */
    synchronized void end() {
        if (open == 0) {
            throw new IllegalStateException("ended more often than begun");
        }
        if (--open == 0) {
            release();
        }
    }

    private synchronized void giveUp(int thisHold) {
        if (thisHold == hold) {
            release();
        }
    }

    private void release() {
        while (!held.isEmpty()) {
            held.remove().run();
        }
        holding = false;
    }

    /** Asks now, or as soon as nothing is waited for. */
    <T> CompletableFuture<T> ask(Supplier<CompletableFuture<T>> question) {
        if (!holding) {
            return question.get();
        }
        synchronized (this) {
            if (!holding) {
                return question.get();
            }
            CompletableFuture<Void> turn = new CompletableFuture<>();
            CompletableFuture<T> answer = turn.thenCompose(now -> question.get());
            held.add(() -> turn.complete(null));
            return answer;
        }
    }
}
