package io.highwater.broker.net;

import io.highwater.broker.metrics.NetworkMetrics;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the frames of one connection take of the {@link MemoryBudget}. Taken on the connection's loop, given back on any thread. Hot.
 *
 * <p>After a refusal {@code retry} runs, on any thread, as soon as it is worthwhile to ask again; also once too often.
 */
final class FrameMemory {
    private final MemoryBudget budget;
    private final NetworkMetrics metrics;
    private final Runnable retry;

    /** Taken and not given back. */
    private final AtomicLong heldBytes = new AtomicLong();

    /** The last request was refused: whoever gives something back has to retry. Written on the loop. */
    private volatile boolean refused;

    /** The budget will tell when there is room for all. */
    private volatile boolean waits;

    FrameMemory(MemoryBudget budget, NetworkMetrics metrics, Runnable retry) {
        this.budget = budget;
        this.metrics = metrics;
        this.retry = retry;
    }

    /** Takes the bytes of one frame, if there is room; if so, {@link #giveBack} is owed. */
    boolean take(int sizeBytes) {
        long held = heldBytes.get();
        while (!budget.tryReserve(held, sizeBytes)) {
            refused = true;
            long heldNow = heldBytes.get();
            if (heldNow == held) {
                waitForRoom(held, sizeBytes);
                return false;
            }
            // Something was given back before it could see that we are waiting for that.
            held = heldNow;
        }
        refused = false;
        heldBytes.addAndGet(sizeBytes);
        return true;
    }

    private void waitForRoom(long held, int sizeBytes) {
        metrics.throttledByMemory();
        if (!waits) {
            // Before the budget is asked: its answer may come at once.
            waits = true;
            if (!budget.onRoom(held, sizeBytes, this::onRoom)) {
                waits = false;
            }
        }
    }

    private void onRoom() {
        waits = false;
        retry.run();
    }

    /** The frame is released. Any thread. */
    void giveBack(int sizeBytes) {
        heldBytes.addAndGet(-sizeBytes);
        budget.release(sizeBytes);
        if (refused) {
            retry.run();
        }
    }

    /** Whether some connection, perhaps this one, is held up for lack of room. */
    boolean isShort() {
        return budget.isShort();
    }
}
