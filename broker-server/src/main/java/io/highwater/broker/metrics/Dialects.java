package io.highwater.broker.metrics;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * By which names the series of Kafka's own metrics go: dashboards disagree on those of counters and shares. The names of different dialects
 * never collide, so that any of them can be had together. Immutable; any thread.
 */
public final class Dialects {
    private final Set<Dialect> wanted;
    private final Map<String, List<String>> labelNames = new ConcurrentHashMap<>();

    /** One way of naming. */
    public enum Dialect {
        /** The sample rules of jmx_exporter, which most dashboards are made for: {@code bytesin_total}. */
        J,
        /** Confluent's stacks and Grafana's mixin: {@code bytesinpersec}, labels in lower case too. */
        C,
        /** Strimzi's metrics reporter: {@code bytesinpersec_total}. */
        R,
        /** Bitnami's charts: {@code bytesinpersec_count}. */
        B,
        /** What kafka_exporter says of topics, partitions and groups. */
        KE,
        /** What Redpanda says of the same. */
        RP
    }

    private Dialects(Collection<Dialect> wanted) {
        this.wanted = wanted.isEmpty() ? EnumSet.noneOf(Dialect.class) : EnumSet.copyOf(wanted);
    }

    /** Those with these names, in any case; {@code highwater.metrics.dialects} has been checked to have no others. */
    public static Dialects of(Collection<String> names) {
        return new Dialects(names.stream()
                .map(name -> Dialect.valueOf(name.trim().toUpperCase(Locale.ROOT)))
                .toList());
    }

    /** Those of the default setting. */
    public static Dialects usual() {
        return new Dialects(List.of(Dialect.J, Dialect.KE));
    }

    /** Whether that one is wanted. */
    public boolean has(Dialect dialect) {
        return wanted.contains(dialect);
    }

    /** Names and types of the counter of a meter. */
    void meter(String stem, BiConsumer<String, String> family) {
        if (has(Dialect.J)) {
            family.accept(stem + "_total", "counter");
        }
        if (has(Dialect.C)) {
            family.accept(stem + "persec", "untyped");
        }
        if (has(Dialect.R)) {
            family.accept(stem + "persec_total", "counter");
        }
        if (has(Dialect.B)) {
            family.accept(stem + "persec_count", "untyped");
        }
    }

    /** Names of a share. */
    void percent(String stem, Consumer<String> family) {
        if (has(Dialect.J) || has(Dialect.B)) {
            family.accept(stem + "_percent");
        }
        if (has(Dialect.C) || has(Dialect.R)) {
            family.accept(stem + "percent");
        }
    }

    /** Names of a label: in the dialect that has them in lower case both are written, so that no series is there twice. */
    List<String> labelNames(String name) {
        return labelNames.computeIfAbsent(name, this::namesOf);
    }

    private List<String> namesOf(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return has(Dialect.C) && !lower.equals(name) ? List.of(name, lower) : List.of(name);
    }
}
