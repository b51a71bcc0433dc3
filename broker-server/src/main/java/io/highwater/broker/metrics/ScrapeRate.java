package io.highwater.broker.metrics;

/** How fast a counter has grown of late, looked at at scrapes: over 15 to 30 s, or since the scrape before the last. One thread at a time. */
final class ScrapeRate {
    private static final long WINDOW_NANOS = 15_000_000_000L;
    private static final double NANOS_PER_SECOND = 1e9;

    private long windowStart;
    private long windowStartNanos;
    private long nextWindowStart;
    private long nextWindowStartNanos;

    /** Starts with a count of 0. */
    ScrapeRate(long nowNanos) {
        windowStartNanos = nowNanos;
        nextWindowStartNanos = nowNanos;
    }

    /** Per second. */
    double at(long count, long nowNanos) {
        double seconds = (nowNanos - windowStartNanos) / NANOS_PER_SECOND;
        double rate = seconds <= 0 ? 0 : Math.max(0, count - windowStart) / seconds;
        if (nowNanos - nextWindowStartNanos >= WINDOW_NANOS) {
            windowStart = nextWindowStart;
            windowStartNanos = nextWindowStartNanos;
            nextWindowStart = count;
            nextWindowStartNanos = nowNanos;
        }
        return rate;
    }
}
