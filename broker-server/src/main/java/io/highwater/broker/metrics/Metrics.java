package io.highwater.broker.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** All series of one broker. Any thread. */
public final class Metrics implements AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final List<SeriesSource> sources = new CopyOnWriteArrayList<>();
    private final NetworkMetrics network = new NetworkMetrics();
    private final TrafficMetrics traffic = new TrafficMetrics();

    /** Starts with the series of the JVM, the process and the network. */
    public Metrics() {
        new ClassLoaderMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        gc.bindTo(registry);
        sources.add(network);
        sources.add(traffic);
    }

    /** For ordinary meters of the classes in this package. */
    MeterRegistry registry() {
        return registry;
    }

    /** Adds series that are written as text. */
    public void add(SeriesSource source) {
        sources.add(source);
    }

    /** Requests, connections and their bytes. */
    public NetworkMetrics network() {
        return network;
    }

    /** Records in and out, by topic. */
    public TrafficMetrics traffic() {
        return traffic;
    }

    /** All series in Prometheus' text format 0.0.4. */
    public synchronized String scrape() {
        StringBuilder text = new StringBuilder(registry.scrape());
        SeriesWriter writer = new SeriesWriter(text);
        for (SeriesSource source : sources) {
            source.writeTo(writer);
        }
        return text.toString();
    }

    /** Stops listening to the garbage collector. */
    @Override
    public void close() {
        gc.close();
        registry.close();
    }
}
