package io.highwater.broker.metrics;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * How busy the event loops are: of each, the time its thread was on a processor. An idle one sleeps, so that this is what idle shares of Kafka's
 * thread pools mean here. Costs nothing but a question to the system at each scrape.
 */
public final class LoopMetrics implements SeriesSource {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String SAID =
            ": 1 - share of time that event loops were busy (there are no such threads here)";

    private final Supplier<List<Thread>> loops;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    private final long startedAtNanos = System.nanoTime();

    /** Of the time that each was busy, in nanoseconds; empty before the first scrape. */
    private final List<ScrapeRate> rates = new ArrayList<>();

    /** @param loops the threads, always the same, each of one event loop; asked at scrapes and may wait */
    public LoopMetrics(Supplier<List<Thread>> loops) {
        this.loops = loops;
    }

    private long[] busyNanos() {
        return loops.get().stream()
                .mapToLong(loop -> Math.max(0, threads.getThreadCpuTime(loop.getId())))
                .toArray();
    }

    @Override
    public void writeTo(SeriesWriter out) {
        long[] busy = busyNanos();
        long nowNanos = System.nanoTime();
        while (rates.size() < busy.length) {
            rates.add(new ScrapeRate(startedAtNanos));
        }
        double[] idle = new double[busy.length];
        for (int i = 0; i < busy.length; i++) {
            idle[i] = Math.min(1, Math.max(0, 1 - rates.get(i).at(busy[i], nowNanos) / NANOS_PER_SECOND));
        }
        write(out, busy, idle, Arrays.stream(idle).average().orElse(1));
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
