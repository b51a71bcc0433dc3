package io.highwater.broker.metrics;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * A histogram of times as Prometheus knows it, which can be added up over brokers. Recording is one or two uncontended additions, from any
 * thread.
 */
final class LatencyHistogram {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String[] BOUNDS = {
        "0.0001", "0.0002", "0.0005", "0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1", "2",
        "5", "10", "30"
    };
    private static final double[] BOUNDS_SECONDS =
            Arrays.stream(BOUNDS).mapToDouble(Double::parseDouble).toArray();

    private final LongAdder[] counts = new LongAdder[BOUNDS_SECONDS.length + 1];
    private final LongAdder sumNanos = new LongAdder();

    LatencyHistogram() {
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new LongAdder();
        }
    }

    void record(long nanos) {
        double seconds = nanos / NANOS_PER_SECOND;
        int at = 0;
        while (at < BOUNDS_SECONDS.length && seconds > BOUNDS_SECONDS[at]) {
            at++;
        }
        counts[at].increment();
        sumNanos.add(nanos);
    }

    void write(SeriesWriter out, String name, String help) {
        out.family(name, "histogram", help);
        long upTo = 0;
        for (int i = 0; i < BOUNDS_SECONDS.length; i++) {
            upTo += counts[i].sum();
            out.part("_bucket", upTo, "le", BOUNDS[i]);
        }
        upTo += counts[BOUNDS_SECONDS.length].sum();
        out.part("_bucket", upTo, "le", "+Inf");
        out.part("_sum", sumNanos.sum() / NANOS_PER_SECOND);
        out.part("_count", upTo);
    }
}
