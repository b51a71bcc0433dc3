package io.highwater.broker.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleBiFunction;

/** Connections, by listener and by what clients call themselves. Any thread; once per connection. */
final class ConnectionMetrics implements SeriesSource {
    /** Clients may call themselves anything: those that come with further names while so many are here are counted as {@link #OTHER}. */
    static final int MOST_SOFTWARE = 200;

    private static final Software OTHER = new Software("other", "other", "any");
    private static final String J = "kafka_server_socket_server_metrics_";
    private static final String C = "kafka_server_socketservermetrics_";

    private final Map<String, Listener> listeners = new ConcurrentHashMap<>();

    /** Connections; only names that somebody goes by at the moment. */
    private final Map<Software, Integer> bySoftware = new ConcurrentHashMap<>();

    private record Software(String name, String version, String listener) {}

    private static final class Listener {
        private final LongAdder opened = new LongAdder();
        private final LongAdder closed = new LongAdder();
        private final ScrapeRate openedRate = new ScrapeRate(System.nanoTime());
        private final ScrapeRate closedRate = new ScrapeRate(System.nanoTime());
    }

    void opened(String listener) {
        of(listener).opened.increment();
    }

    void closed(String listener) {
        of(listener).closed.increment();
    }

    /** A client has said what it is; what this returns undoes it when its connection ends. */
    Runnable calledItself(String software, String version, String listener) {
        Software wanted = new Software(software, version, listener);
        Software counted = bySoftware.size() < MOST_SOFTWARE || bySoftware.containsKey(wanted) ? wanted : OTHER;
        bySoftware.merge(counted, 1, Integer::sum);
        return () -> bySoftware.computeIfPresent(counted, (name, count) -> count == 1 ? null : count - 1);
    }

    private Listener of(String listener) {
        return listeners.computeIfAbsent(listener, absent -> new Listener());
    }

    @Override
    public void writeTo(SeriesWriter out) {
        long nowNanos = System.nanoTime();
        each(out.gauge(J + "connection_count", "Connections that are open"), ConnectionMetrics::open, nowNanos);
        each(
                out.counter(J + "connection_creation_total", "Connections that were accepted"),
                (of, now) -> of.opened.sum(),
                nowNanos);
        each(
                out.counter(J + "connection_close_total", "Connections that have ended"),
                (of, now) -> of.closed.sum(),
                nowNanos);
        rates(out, J, nowNanos);
        software(
                out.gauge(J + "connections_software", "Connections by client software"),
                "clientSoftware",
                "Name",
                "Version");
        if (out.dialects().has(Dialects.Dialect.C)) {
            each(out.gauge(C + "connection_count", "Connections that are open"), ConnectionMetrics::open, nowNanos);
            rates(out, C, nowNanos);
            each(
                    out.gauge(
                            "kafka_network_acceptor_acceptorblockedpercent",
                            "Always 0: what accepts connections waits for nobody"),
                    (of, now) -> 0,
                    nowNanos);
            software(
                    out.gauge(C + "connections", "Connections by client software"),
                    "client_software_",
                    "name",
                    "version");
        }
    }

    private void rates(SeriesWriter out, String prefix, long nowNanos) {
        each(
                out.gauge(prefix + "connection_creation_rate", "Connections accepted per second"),
                (of, now) -> of.openedRate.at(of.opened.sum(), now),
                nowNanos);
        each(
                out.gauge(prefix + "connection_close_rate", "Connections ended per second"),
                (of, now) -> of.closedRate.at(of.closed.sum(), now),
                nowNanos);
    }

    private static double open(Listener listener, long nowNanos) {
        // Closed is read first: what closes meanwhile was open.
        long closed = listener.closed.sum();
        return listener.opened.sum() - closed;
    }

    private void each(SeriesWriter family, ToDoubleBiFunction<Listener, Long> value, long nowNanos) {
        listeners.forEach((name, of) -> family.sample(value.applyAsDouble(of, nowNanos), "listener", name));
    }

    private void software(SeriesWriter family, String prefix, String name, String version) {
        bySoftware.forEach((of, count) ->
                family.sample(count, prefix + name, of.name, prefix + version, of.version, "listener", of.listener));
    }
}
