package io.highwater.broker.metrics;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The JVM and its process, by the names of Prometheus' own library for Java, old and new. The library is not loaded before the first scrape.
 */
final class JvmMetrics implements SeriesSource {
    private @Nullable PrometheusRegistry registry;

    @Override
    public void writeTo(SeriesWriter out) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            PrometheusTextFormatWriter.builder()
                    .build()
                    .write(text, registry().scrape(), EscapingScheme.UNDERSCORE_ESCAPING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.verbatim(text.toByteArray());
        writeOldNames(out);
    }

    private PrometheusRegistry registry() {
        PrometheusRegistry filled = registry;
        if (filled == null) {
            filled = new PrometheusRegistry();
            io.prometheus.metrics.instrumentation.jvm.JvmMetrics.builder().register(filled);
            registry = filled;
        }
        return filled;
    }

    private static void writeOldNames(SeriesWriter out) {
        memory(out, "used", "Bytes in use", MemoryUsage::getUsed);
        memory(out, "committed", "Bytes taken from the system", MemoryUsage::getCommitted);
        memory(out, "max", "Bytes it may take, -1 if that is not limited", MemoryUsage::getMax);
        out.gauge("jvm_classes_loaded", "Classes that are loaded")
                .sample((long) ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
    }

    private static void memory(SeriesWriter out, String what, String help, ToLongFunction<MemoryUsage> value) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        out.gauge("jvm_memory_bytes_" + what, help + "; older name of jvm_memory_" + what + "_bytes")
                .sample(value.applyAsLong(memory.getHeapMemoryUsage()), "area", "heap")
                .sample(value.applyAsLong(memory.getNonHeapMemoryUsage()), "area", "nonheap");
        out.gauge("jvm_memory_pool_bytes_" + what, help + "; older name of jvm_memory_pool_" + what + "_bytes");
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            out.sample(value.applyAsLong(pool.getUsage()), "pool", pool.getName());
        }
    }
}
