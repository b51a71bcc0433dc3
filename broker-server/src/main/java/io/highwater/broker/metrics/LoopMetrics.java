package io.highwater.broker.metrics;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.function.Supplier;

/**
 * How busy the event loops are: of each, the time its thread was on a processor. An idle one sleeps, so that this is what idle shares of Kafka's
 * thread pools mean here. Costs nothing but a question to the system at each scrape.
 */
public final class LoopMetrics implements SeriesSource {
    /** Shares are those of this time up to twice as long, or since the scrape before the last if that is longer ago. */
    private static final long WINDOW_NANOS = 15_000_000_000L;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final String SAID =
            ": 1 - share of time that event loops were busy (there are no such threads here)";

    private final Supplier<List<Thread>> loops;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    private long[] windowStart = {};
    private long[] nextWindowStart = {};
    private long windowStartNanos;
    private long nextWindowStartNanos;

    /** @param loops the threads, always the same, each of one event loop; asked at scrapes and may wait */
    public LoopMetrics(Supplier<List<Thread>> loops) {
        this.loops = loops;
        this.windowStartNanos = System.nanoTime();
        this.nextWindowStartNanos = windowStartNanos;
    }

    private long[] busyNanos() {
        return loops.get().stream()
                .mapToLong(loop -> Math.max(0, threads.getThreadCpuTime(loop.getId())))
                .toArray();
    }

    @Override
    public void writeTo(SeriesWriter out) {
        long[] busy = busyNanos();
        if (windowStart.length == 0) {
            windowStart = new long[busy.length];
            nextWindowStart = windowStart;
        }
        long nowNanos = System.nanoTime();
        double windowNanos = Math.max(1, nowNanos - windowStartNanos);
        double[] idle = new double[busy.length];
        double sum = 0;
        for (int i = 0; i < busy.length; i++) {
            idle[i] = Math.min(1, Math.max(0, 1 - (busy[i] - windowStart[i]) / windowNanos));
            sum += idle[i];
        }
        double average = busy.length == 0 ? 1 : sum / busy.length;
        if (nowNanos - nextWindowStartNanos >= WINDOW_NANOS) {
            windowStart = nextWindowStart;
            windowStartNanos = nextWindowStartNanos;
            nextWindowStart = busy;
            nextWindowStartNanos = nowNanos;
        }
        write(out, busy, idle, average);
    }

    private static void write(SeriesWriter out, long[] busy, double[] idle, double average) {
        out.percent(
                "kafka_server_kafkarequesthandlerpool_requesthandleravgidle",
                "Idle share of request handlers" + SAID,
                family -> family.sample(average));
        if (out.dialects().has(Dialects.Dialect.C)) {
            out.gauge(
                            "kafka_server_kafkarequesthandlerpool_requesthandleravgidlepercent_oneminuterate",
                            "Idle share of request handlers" + SAID)
                    .sample(average);
        }
        out.percent(
                "kafka_network_socketserver_networkprocessoravgidle",
                "Idle share of network threads" + SAID,
                family -> family.sample(average));
        out.percent("kafka_network_processor_idle", "Idle share of each network thread" + SAID, family -> {
            for (int i = 0; i < idle.length; i++) {
                family.sample(idle[i], "networkProcessor", Integer.toString(i));
            }
        });
        out.counter("highwater_event_loop_busy_seconds_total", "Time that an event loop was on a processor");
        for (int i = 0; i < busy.length; i++) {
            out.sample(busy[i] / NANOS_PER_SECOND, "loop", Integer.toString(i));
        }
    }
}
