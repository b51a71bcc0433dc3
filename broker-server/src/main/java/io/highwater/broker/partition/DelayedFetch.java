package io.highwater.broker.partition;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A fetch that found too little and waits for one of its partitions to have more, or for its time to pass; then it calls back
 * once, and whoever asked reads again. Set up by one thread ({@link #watch}, then {@link #park}), woken by any.
 */
public final class DelayedFetch extends Deadlines.Deadline {
    /** News of a high watermark waits so long for records to travel with, lest each round of a busy partition cost two fetches. */
    private static final long NEWS_WAIT_MS = 5;

    private final int minBytes;
    private final Deadlines deadlines;
    private final OnReady onReady;
    private final Watched[] watched;
    private final AtomicBoolean done = new AtomicBoolean();
    private final AtomicBoolean hurried = new AtomicBoolean();
    private int count;

    /** Goes on with the fetch. */
    @FunctionalInterface
    public interface OnReady {
        /**
         * It is time.
         *
         * @param expired whether that is because its time has passed
         */
        void onReady(boolean expired);
    }

    /**
     * A fetch of at most {@code partitions} partitions.
     *
     * @param minBytes it is worth answering with
     * @param onReady called once, on any thread, without locks; must be quick
     */
    public DelayedFetch(int partitions, int minBytes, Deadlines deadlines, OnReady onReady) {
        this.minBytes = minBytes;
        this.deadlines = deadlines;
        this.onReady = onReady;
        this.watched = new Watched[partitions];
    }

    /** Counts what {@code partition} has from {@code fetchOffset} on, at most {@code maxBytes}. */
    public void watch(Partition partition, long fetchOffset, Isolation isolation, int maxBytes) {
        watch(partition, fetchOffset, isolation, maxBytes, Long.MAX_VALUE);
    }

    /**
     * As above, for a follower that knows of {@code knownHighWatermark}: more than that, as far as it holds it, is worth an answer, very soon.
     */
    public void watch(
            Partition partition, long fetchOffset, Isolation isolation, int maxBytes, long knownHighWatermark) {
        watched[count++] = new Watched(partition, fetchOffset, isolation, maxBytes, knownHighWatermark);
    }

    /** Waits from now on. May call back before it returns, if there is enough by now. */
    public void park(long maxWaitMs) {
        deadlines.set(this, maxWaitMs);
        for (int i = 0; i < count; i++) {
            watched[i].partition.delayedFetches().add(watched[i]);
        }
        // What came between the reading and the adding woke nobody.
        for (int i = 0; i < count && !done.get(); i++) {
            watched[i].measure();
        }
        answerIfEnough();
        if (done.get()) {
            // Whoever answered meanwhile may have been too early to unlink all.
            unlink();
        }
    }

    @Override
    protected void onPassed() {
        answer(!hurried.get());
    }

    private void answerIfEnough() {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += watched[i].availableBytes;
        }
        if (sum >= minBytes) {
            answer(false);
        } else if (!hurried.get() && hasNews() && hurried.compareAndSet(false, true)) {
            deadlines.cancel(this);
            deadlines.set(this, NEWS_WAIT_MS);
        }
    }

    private boolean hasNews() {
        for (int i = 0; i < count; i++) {
            if (watched[i].hasNews()) {
                return true;
            }
        }
        return false;
    }

    private void answer(boolean expired) {
        if (done.compareAndSet(false, true)) {
            deadlines.cancel(this);
            unlink();
            onReady.onReady(expired);
        }
    }

    private void unlink() {
        for (int i = 0; i < count; i++) {
            watched[i].partition.delayedFetches().remove(watched[i]);
        }
    }

    /** Its wait for one partition. The links belong to that partition's {@link DelayedFetches}. */
    final class Watched {
        private final Partition partition;
        private final long fetchOffset;
        private final Isolation isolation;
        private final int maxBytes;
        private final long knownHighWatermark;
        private volatile int availableBytes;

        @Nullable
        Watched previous;

        @Nullable
        Watched next;

        boolean linked;

        Watched(Partition partition, long fetchOffset, Isolation isolation, int maxBytes, long knownHighWatermark) {
            this.partition = partition;
            this.fetchOffset = fetchOffset;
            this.isolation = isolation;
            this.maxBytes = maxBytes;
            this.knownHighWatermark = knownHighWatermark;
        }

        boolean hasNews() {
            return knownHighWatermark < Math.min(partition.highWatermark(), fetchOffset);
        }

        void check() {
            if (!done.get()) {
                measure();
                answerIfEnough();
            }
        }

        void wake() {
            answer(false);
        }

        private void measure() {
            availableBytes = partition.availableBytes(fetchOffset, isolation, maxBytes, minBytes <= 1);
        }
    }
}
