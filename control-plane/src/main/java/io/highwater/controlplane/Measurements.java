package io.highwater.controlplane;

import com.yammer.metrics.core.Gauge;
import com.yammer.metrics.core.Histogram;
import com.yammer.metrics.core.Meter;
import com.yammer.metrics.core.Metric;
import com.yammer.metrics.core.MetricName;
import com.yammer.metrics.core.MetricsRegistry;
import com.yammer.metrics.stats.Snapshot;
import io.highwater.controlplane.Measurement.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.Metrics;

/** Reads the registries that the library measures into. Any thread. */
final class Measurements {
    /** Groups of its newer registry that are told, and their names in dashboards. */
    private static final Map<String, String> GROUPS = Map.of(
            "raft-metrics", "kafka_server_raftmetrics_",
            "quorum-channel-metrics", "kafka_server_raftchannelmetrics_");

    /** What a channel says of itself and nobody asks for. */
    private static final Pattern INTERNALS = Pattern.compile("auth|^io-|^iotime|^select-|^network-io-");

    private static final String STATE = "current-state";
    private static final double[] QUANTILES = {0.5, 0.75, 0.95, 0.98, 0.99, 0.999};
    private static final String[] QUANTILE_LABELS = {"0.50", "0.75", "0.95", "0.98", "0.99", "0.999"};

    private Measurements() {}

    static List<Measurement> of(Metrics newer, MetricsRegistry older) {
        List<Measurement> all = new ArrayList<>();
        newer.metrics().values().forEach(metric -> read(metric, all));
        older.allMetrics().forEach((name, metric) -> read(name, metric, all));
        return all;
    }

    private static void read(KafkaMetric metric, List<Measurement> all) {
        String group = GROUPS.get(metric.metricName().group());
        String name = metric.metricName().name();
        if (group == null || INTERNALS.matcher(name).find()) {
            return;
        }
        String family = group + underscored(name);
        String help = metric.metricName().description();
        if (metric.metricValue() instanceof Number number) {
            Kind kind = name.endsWith("-total") ? Kind.COUNTER : Kind.GAUGE;
            all.add(Measurement.of(family, kind, Map.of(), number.doubleValue(), help));
        } else if (name.equals(STATE)) {
            Map<String, String> state = Map.of(underscored(STATE), String.valueOf(metric.metricValue()));
            all.add(Measurement.of(family, Kind.GAUGE, state, 1, help));
        }
    }

    private static void read(MetricName name, Metric metric, List<Measurement> all) {
        String family = underscored(name.getGroup() + "_" + name.getType() + "_" + name.getName());
        Map<String, String> labels = labels(name.getMBeanName());
        String help = "Kafka's " + name.getType() + " " + name.getName();
        if (metric instanceof Gauge<?> gauge && gauge.value() instanceof Number number) {
            all.add(Measurement.of(family, Kind.GAUGE, labels, number.doubleValue(), help));
        } else if (metric instanceof Meter meter) {
            String stem = family.endsWith("persec") ? family.substring(0, family.length() - "persec".length()) : family;
            all.add(Measurement.of(stem, Kind.METER, labels, (double) meter.count(), help));
        } else if (metric instanceof Histogram histogram) {
            readQuantiles(family, labels, histogram, help, all);
        }
    }

    private static void readQuantiles(
            String family, Map<String, String> labels, Histogram histogram, String help, List<Measurement> all) {
        Snapshot snapshot = histogram.getSnapshot();
        for (int i = 0; i < QUANTILES.length; i++) {
            Map<String, String> withQuantile = new LinkedHashMap<>(labels);
            withQuantile.put("quantile", QUANTILE_LABELS[i]);
            all.add(Measurement.of(family, Kind.SUMMARY, withQuantile, snapshot.getValue(QUANTILES[i]), help));
        }
        all.add(new Measurement(family, Kind.SUMMARY, "_sum", labels, histogram.sum(), help));
        all.add(new Measurement(family, Kind.SUMMARY, "_count", labels, histogram.count(), help));
    }

    /** What is behind type and name in {@code kafka.controller:type=KafkaController,name=BrokerRegistrationState,broker=1}. */
    private static Map<String, String> labels(String bean) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String property : bean.substring(bean.indexOf(':') + 1).split(",", -1)) {
            int equals = property.indexOf('=');
            String name = property.substring(0, Math.max(0, equals));
            if (!name.isEmpty() && !name.equals("type") && !name.equals("name")) {
                labels.put(name, property.substring(equals + 1));
            }
        }
        return labels;
    }

    private static String underscored(String name) {
        return name.replace('-', '_').replace('.', '_').toLowerCase(Locale.ROOT);
    }
}
