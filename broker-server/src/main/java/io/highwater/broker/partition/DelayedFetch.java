package io.highwater.broker.partition;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A fetch that found too little and waits for one of its partitions to have more, or for its time to pass; then it calls back
 * once, and whoever asked reads again. Set up by one thread ({@link #watch}, then {@link #park}), woken by any.
 */
public final class DelayedFetch extends Deadlines.Deadline {
    private final int minBytes;
    private final Deadlines deadlines;
    private final Runnable onReady;
    private final Watched[] watched;
    private final AtomicBoolean done = new AtomicBoolean();
    private int count;

    /**
     * A fetch of at most {@code partitions} partitions.
     *
     * @param minBytes it is worth answering with
     * @param onReady called once, on any thread, without locks; must be quick
     */
    public DelayedFetch(int partitions, int minBytes, Deadlines deadlines, Runnable onReady) {
        this.minBytes = minBytes;
        this.deadlines = deadlines;
        this.onReady = onReady;
        this.watched = new Watched[partitions];
    }

    /** Counts what {@code partition} has from {@code fetchOffset} on, at most {@code maxBytes}. */
    public void watch(Partition partition, long fetchOffset, Isolation isolation, int maxBytes) {
        watched[count++] = new Watched(partition, fetchOffset, isolation, maxBytes);
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
        answer();
    }

    private void answerIfEnough() {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += watched[i].availableBytes;
        }
        if (sum >= minBytes) {
            answer();
        }
    }

    private void answer() {
        if (done.compareAndSet(false, true)) {
            deadlines.cancel(this);
            unlink();
            onReady.run();
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
        private volatile int availableBytes;

        @Nullable
        Watched previous;

        @Nullable
        Watched next;

        boolean linked;

        Watched(Partition partition, long fetchOffset, Isolation isolation, int maxBytes) {
            this.partition = partition;
            this.fetchOffset = fetchOffset;
            this.isolation = isolation;
            this.maxBytes = maxBytes;
        }

        void check() {
            if (!done.get()) {
                measure();
                answerIfEnough();
            }
        }

        void wake() {
            answer();
        }

        private void measure() {
            availableBytes = partition.availableBytes(fetchOffset, isolation, maxBytes, minBytes <= 1);
        }
    }
}
