package io.highwater.broker.net;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of requests all connections together may hold at once ({@code queued.max.request.bytes}). Any thread.
 *
 * <p>The nearer the limit, the less any one connection may hold: at most what is still free. So the hungriest is the first to
 * be refused, and a connection that holds little (a follower's fetches, heartbeats) goes on when the bulk producers have
 * stopped; were it refused too, the replicas that those producers wait for could never catch up.
 *
 * <p>The limit is exceeded by no more than one frame by a connection that holds nothing (else a frame larger than the limit
 * could never be read), and by {@link #SMALL_SHARE_BYTES} for each connection.
 */
public final class MemoryBudget {
    /** What a connection may always hold, however little is left. */
    static final int SMALL_SHARE_BYTES = 64 << 10;

    private static final long LEAST_DEFAULT_BYTES = 64L << 20;

    private final long limitBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    /** @param limitBytes above 0 */
    public MemoryBudget(long limitBytes) {
        if (limitBytes <= 0) {
            throw new IllegalArgumentException("a memory budget of " + limitBytes + " bytes");
        }
        this.limitBytes = limitBytes;
    }

    /** The limit when none is set: a quarter of the heap's maximum, which is also what direct memory is limited to. */
    public static long defaultLimitBytes() {
        return Math.max(LEAST_DEFAULT_BYTES, Runtime.getRuntime().maxMemory() / 4);
    }

    /**
     * Takes bytes for one frame, if there is room.
     *
     * @param heldBytes what the connection holds already
     * @return whether they were taken; if so, {@link #release} is owed
     */
    boolean tryReserve(long heldBytes, int sizeBytes) {
        long used = usedBytes.get();
        while (fits(used, heldBytes, sizeBytes)) {
            if (usedBytes.compareAndSet(used, used + sizeBytes)) {
                return true;
            }
            used = usedBytes.get();
        }
        return false;
    }

    private boolean fits(long used, long heldBytes, int sizeBytes) {
        if (heldBytes + sizeBytes <= SMALL_SHARE_BYTES) {
            return true;
        }
        return heldBytes == 0 ? used < limitBytes : heldBytes + sizeBytes <= limitBytes - used;
    }

    /** Gives bytes back, and wakes those who wait once half of the budget is free. */
    void release(long sizeBytes) {
        long used = usedBytes.addAndGet(-sizeBytes);
        if (used < 0) {
            throw new IllegalStateException("released " + -used + " bytes more than were taken");
        }
        if (used <= limitBytes / 2 && !waiting.isEmpty()) {
            wakeAll();
        }
    }

    /**
     * After a refusal: runs this, on any thread, when half of the budget is free, at once if it already is.
     *
     * @param heldBytes and {@code sizeBytes}: as refused
     * @return whether it will run. It will not for a connection that holds so much that it would be refused even then; that one
     *     tries again whenever it has released something
     */
    boolean onRoom(long heldBytes, int sizeBytes, Runnable wakeUp) {
        if (heldBytes > 0 && heldBytes + sizeBytes > limitBytes / 2) {
            return false;
        }
        waiting.add(wakeUp);
        // A release between the refusal and the line above has not seen us.
        if (usedBytes.get() <= limitBytes / 2) {
            wakeAll();
        }
        return true;
    }

    /** Whether somebody is held up for lack of room. */
    boolean isShort() {
        return !waiting.isEmpty();
    }

    private void wakeAll() {
        for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
            next.run();
        }
    }

    /** Bytes held now. */
    public long usedBytes() {
        return usedBytes.get();
    }

    /** The limit. */
    public long limitBytes() {
        return limitBytes;
    }
}
