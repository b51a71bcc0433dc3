package io.highwater.broker.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A hashed wheel of {@link #TICK_MS} ticks with one thread that sleeps until the next tick that has something. Setting and
 * cancelling cost a short lock and no allocation; almost every deadline is cancelled before it passes.
 */
public final class DeadlineWheel implements Deadlines, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeadlineWheel.class);

    static final int TICK_MS = 4;

    /** A power of two; one turn lasts four seconds, later deadlines stay for more turns. */
    static final int SLOTS = 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition earlier = lock.newCondition();
    private final @Nullable Deadline[] slots = new @Nullable Deadline[SLOTS];

    /** By slot: none of its deadlines is due before this tick, so that those of later turns wake nobody. */
    private final long[] notBefore = new long[SLOTS];

    private final long startNanos = System.nanoTime();
    private final Thread thread;

    /** All ticks up to and including this one have been handled. */
    private long handledTick = -1;

    private int size;
    private long wakeTick = Long.MAX_VALUE;
    private boolean closed;

    /** Starts the thread. */
    public DeadlineWheel() {
        Arrays.fill(notBefore, Long.MAX_VALUE);
        thread = new Thread(this::turn, "highwater-deadlines");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void set(Deadline deadline, long delayMs) {
        lock.lock();
        try {
            if (deadline.dueTick >= 0) {
                throw new IllegalStateException("deadline is set already");
            }
            // The first tick that begins after the delay: neither the delay nor the time so far need be whole ticks.
            long due = Math.max((elapsedMs() + Math.max(0, delayMs)) / TICK_MS + 1, handledTick + 1);
            deadline.dueTick = due;
            link(deadline, (int) (due & (SLOTS - 1)));
            size++;
            if (due < wakeTick) {
                wakeTick = due;
                earlier.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void cancel(Deadline deadline) {
        lock.lock();
        try {
            if (deadline.dueTick >= 0) {
                unlink(deadline);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread; what is still set never passes. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            earlier.signal();
        } finally {
            lock.unlock();
        }
        if (Thread.currentThread() != thread) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(5));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void turn() {
        List<Deadline> passed = new ArrayList<>();
        while (awaitPassed(passed)) {
            for (Deadline deadline : passed) {
                try {
                    deadline.onPassed();
                } catch (Throwable e) {
                    LOG.error("A deadline could not be handled", e);
                }
            }
            passed.clear();
        }
    }

    /** Waits for the next deadlines to pass and takes them out; false once closed. */
    private boolean awaitPassed(List<Deadline> passed) {
        lock.lock();
        try {
            while (!closed) {
                collect(passed);
                if (!passed.isEmpty()) {
                    return true;
                }
                wakeTick = nextTick();
                if (wakeTick == Long.MAX_VALUE) {
                    earlier.await();
                } else {
                    earlier.awaitNanos(
                            startNanos + TimeUnit.MILLISECONDS.toNanos(wakeTick * TICK_MS) - System.nanoTime());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        return false;
    }

    private void collect(List<Deadline> passed) {
        long now = nowTick();
        long from = Math.max(handledTick + 1, now - SLOTS + 1);
        for (long tick = from; tick <= now && size > 0; tick++) {
            int slot = (int) (tick & (SLOTS - 1));
            if (notBefore[slot] <= now) {
                collect(slot, now, passed);
            }
        }
        handledTick = now;
    }

    private void collect(int slot, long now, List<Deadline> passed) {
        long earliest = Long.MAX_VALUE;
        Deadline deadline = slots[slot];
        while (deadline != null) {
            Deadline next = deadline.next;
            if (deadline.dueTick <= now) {
                unlink(deadline);
                passed.add(deadline);
            } else {
                earliest = Math.min(earliest, deadline.dueTick);
            }
            deadline = next;
        }
        notBefore[slot] = earliest;
    }

    /** The next tick with something to look at: what was due then may have been cancelled. */
    private long nextTick() {
        long next = Long.MAX_VALUE;
        for (long tick : notBefore) {
            next = Math.min(next, tick);
        }
        return next;
    }

    private void link(Deadline deadline, int slot) {
        Deadline head = slots[slot];
        deadline.next = head;
        if (head != null) {
            head.previous = deadline;
        }
        slots[slot] = deadline;
        notBefore[slot] = Math.min(notBefore[slot], deadline.dueTick);
    }

    private void unlink(Deadline deadline) {
        Deadline before = deadline.previous;
        Deadline after = deadline.next;
        if (before == null) {
            int slot = (int) (deadline.dueTick & (SLOTS - 1));
            slots[slot] = after;
            if (after == null) {
                notBefore[slot] = Long.MAX_VALUE;
            }
        } else {
            before.next = after;
        }
        if (after != null) {
            after.previous = before;
        }
        deadline.previous = null;
        deadline.next = null;
        deadline.dueTick = -1;
        size--;
    }

    private long nowTick() {
        return elapsedMs() / TICK_MS;
    }

    private long elapsedMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    }
}
