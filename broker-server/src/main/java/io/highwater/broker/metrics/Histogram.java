package io.highwater.broker.metrics;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts values of 0 and more in buckets no wider than an eighth of their value. Recording is one atomic increment and a sum,
 * from any thread; quantiles are those of the last one to two minutes, or of the time since the scrape before the last if that is
 * longer, looked at from the thread that scrapes.
 */
final class Histogram {
    static final long WINDOW_NANOS = 60_000_000_000L;

    private static final double[] QUANTILES = {0.5, 0.75, 0.95, 0.98, 0.99, 0.999};
    private static final String[] QUANTILE_LABELS = {"0.50", "0.75", "0.95", "0.98", "0.99", "0.999"};

    private static final int SUB_BUCKET_BITS = 3;
    private static final int SUB_BUCKETS = 1 << SUB_BUCKET_BITS;
    /** The last bucket starts at 2^45, ten hours in nanoseconds. */
    private static final int BUCKETS = (45 - SUB_BUCKET_BITS + 2) * SUB_BUCKETS;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);
    private final LongAdder sum = new LongAdder();

    /** Counts at the start of the window that quantiles are taken over, and one window later. */
    private long[] windowStart = new long[BUCKETS];

    private long[] nextWindowStart = new long[BUCKETS];
    private long rotatedAtNanos;

    void record(long value) {
        counts.getAndIncrement(bucketOf(value));
        sum.add(value);
    }

    /** All values since the start. */
    long count() {
        long count = 0;
        for (int i = 0; i < BUCKETS; i++) {
            count += counts.get(i);
        }
        return count;
    }

    /** The sum of all values since the start. */
    long sum() {
        return sum.sum();
    }

    /** Values at these quantiles over the window; 0 if there was none. One thread at a time. */
    double[] quantiles(double[] quantiles, long nowNanos) {
        long[] now = new long[BUCKETS];
        long total = 0;
        for (int i = 0; i < BUCKETS; i++) {
            now[i] = counts.get(i);
            total += now[i] - windowStart[i];
        }
        double[] values = new double[quantiles.length];
        for (int i = 0; i < quantiles.length; i++) {
            values[i] = total == 0 ? 0 : valueAt((long) Math.ceil(quantiles[i] * total), now);
        }
        if (nowNanos - rotatedAtNanos >= WINDOW_NANOS) {
            windowStart = nextWindowStart;
            nextWindowStart = now;
            rotatedAtNanos = nowNanos;
        }
        return values;
    }

    /**
     * Writes the quantiles that Kafka's histograms have, the sum and the count, after the family was started.
     *
     * @param unit what a value is divided by
     */
    void write(SeriesWriter out, double unit, long nowNanos, String... labels) {
        double[] values = quantiles(QUANTILES, nowNanos);
        String[] withQuantile = Arrays.copyOf(labels, labels.length + 2);
        withQuantile[labels.length] = "quantile";
        for (int i = 0; i < values.length; i++) {
            withQuantile[labels.length + 1] = QUANTILE_LABELS[i];
            out.sample(values[i] / unit, withQuantile);
        }
        out.part("_sum", sum() / unit, labels);
        out.part("_count", count(), labels);
        if (out.dialects().has(Dialects.Dialect.C)) {
            out.sample(count(), labels);
        }
    }

    /** Writes what {@link #write} would if all values so far had been 0. */
    static void writeZero(SeriesWriter out, long count, String... labels) {
        String[] withQuantile = Arrays.copyOf(labels, labels.length + 2);
        withQuantile[labels.length] = "quantile";
        for (String quantile : QUANTILE_LABELS) {
            withQuantile[labels.length + 1] = quantile;
            out.sample(0L, withQuantile);
        }
        out.part("_sum", 0L, labels);
        out.part("_count", count, labels);
    }

    private double valueAt(long rank, long[] now) {
        long seen = 0;
        for (int i = 0; i < BUCKETS; i++) {
            seen += now[i] - windowStart[i];
            if (seen >= rank) {
                return (lowerBound(i) + lowerBound(i + 1)) / 2.0;
            }
        }
        return lowerBound(BUCKETS);
    }

    static int bucketOf(long value) {
        if (value < SUB_BUCKETS) {
            return (int) Math.max(0, value);
        }
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
        int subBucket = (int) (value >>> (exponent - SUB_BUCKET_BITS)) - SUB_BUCKETS;
        return Math.min(BUCKETS - 1, (exponent - SUB_BUCKET_BITS + 1) * SUB_BUCKETS + subBucket);
    }

    /** The least value of a bucket, inclusive. */
    static long lowerBound(int bucket) {
        if (bucket < SUB_BUCKETS) {
            return bucket;
        }
        int shift = bucket / SUB_BUCKETS - 1;
        return (long) (bucket % SUB_BUCKETS + SUB_BUCKETS) << shift;
    }
}
