package io.highwater.broker.metrics;

import io.highwater.broker.metrics.Dialects.Dialect;
import io.highwater.broker.metrics.GroupSample.Offset;
import io.highwater.coordination.group.GroupMetric;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Groups whose coordinator is here. Each group is told by one broker only, its coordinator: sums over brokers are right. */
public final class GroupMetrics implements SeriesSource {
    private static final String MANAGER = "kafka_coordinator_group_groupmetadatamanager_";
    private static final String LIBRARY = "kafka_server_group_coordinator_metrics_";
    private static final String EXPORTER = "kafka_consumergroup_";
    private static final String GROUP = "consumergroup";
    private static final double MS_PER_SECOND = 1e3;

    /** What the older registry has, told as 0 before there is a group. */
    private static final List<String> COUNTS = List.of(
            "NumGroups",
            "NumOffsets",
            "NumGroupsStable",
            "NumGroupsPreparingRebalance",
            "NumGroupsCompletingRebalance",
            "NumGroupsEmpty",
            "NumGroupsDead");

    private final View view;

    /** Where to look. All may take a while. */
    public interface View {
        /** Counts by the names of {@code GroupMetadataManager}. */
        Collection<GroupMetric> counts();

        /** What the coordinator measures. */
        Collection<GroupMetric> measurements();

        /** The groups. */
        List<GroupSample> groups();
    }

    /** @param view asked at each scrape */
    public GroupMetrics(View view) {
        this.view = view;
    }

    @Override
    public void writeTo(SeriesWriter out) {
        writeCounts(out);
        writeMeasurements(out);
        List<GroupSample> groups = view.groups();
        writeTimeLag(out, groups);
        if (out.dialects().has(Dialect.KE)) {
            writeExporterNames(out, groups);
        }
        if (out.dialects().has(Dialect.RP)) {
            writeRedpandaNames(out, groups);
        }
    }

    private void writeCounts(SeriesWriter out) {
        Map<String, Double> counts = new TreeMap<>();
        COUNTS.forEach(name -> counts.put(name, 0.0));
        view.counts().forEach(each -> counts.put(each.name(), each.value()));
        counts.forEach((name, value) -> out.gauge(
                        MANAGER + name.toLowerCase(Locale.ROOT),
                        name.equals("NumOffsets")
                                ? "Committed offsets of groups whose coordinator is here"
                                : "Groups of the classic protocol whose coordinator is here, by state")
                .sample(value));
    }

    private void writeMeasurements(SeriesWriter out) {
        Map<String, List<GroupMetric>> families = new TreeMap<>();
        for (GroupMetric each : view.measurements()) {
            families.computeIfAbsent(each.name(), name -> new ArrayList<>()).add(each);
        }
        families.forEach((name, samples) -> {
            out.gauge(LIBRARY + name.replace('-', '_'), "Kafka's group-coordinator-metrics " + name);
            for (GroupMetric each : samples) {
                out.sample(
                        each.value(),
                        each.tags().entrySet().stream()
                                .flatMap(tag -> List.of(tag.getKey().replace('-', '_'), tag.getValue()).stream())
                                .toArray(String[]::new));
            }
        });
    }

    private static void writeTimeLag(SeriesWriter out, List<GroupSample> groups) {
        out.gauge(
                "highwater_consumergroup_lag_seconds",
                "Age of the first committed record that a group has not committed as read, 0 if there is none");
        each(out, groups, offset -> offset.lagMs() < 0 ? Double.NaN : offset.lagMs() / MS_PER_SECOND);
    }

    private static void writeExporterNames(SeriesWriter out, List<GroupSample> groups) {
        out.gauge(EXPORTER + "current_offset", "Next offset that a group will read");
        each(out, groups, Offset::committed);
        out.gauge(EXPORTER + "lag", "Committed records from there on; never negative");
        each(out, groups, offset -> offset.lagRecords() < 0 ? Double.NaN : offset.lagRecords());
        out.gauge(EXPORTER + "current_offset_sum", "Sum of the offsets of a group in a topic");
        sums(out, groups, Offset::committed);
        out.gauge(EXPORTER + "lag_sum", "Sum of the lags of a group in a topic");
        sums(out, groups, offset -> Math.max(0, offset.lagRecords()));
        out.gauge(EXPORTER + "members", "Members of a group; one without keeps its lag");
        groups.forEach(group -> out.sample((long) group.members(), GROUP, group.id()));
    }

    private static void each(SeriesWriter out, List<GroupSample> groups, ToDoubleFunction<Offset> value) {
        for (GroupSample group : groups) {
            for (Offset offset : group.offsets()) {
                double known = value.applyAsDouble(offset);
                if (!Double.isNaN(known)) {
                    out.sample(
                            known,
                            GROUP,
                            group.id(),
                            "topic",
                            offset.topic(),
                            "partition",
                            Integer.toString(offset.partition()));
                }
            }
        }
    }

    private static void sums(SeriesWriter out, List<GroupSample> groups, ToLongFunction<Offset> value) {
        for (GroupSample group : groups) {
            Map<String, Long> byTopic = new TreeMap<>();
            group.offsets().forEach(offset -> byTopic.merge(offset.topic(), value.applyAsLong(offset), Long::sum));
            byTopic.forEach((topic, sum) -> out.sample(sum, GROUP, group.id(), "topic", topic));
        }
    }

    private static void writeRedpandaNames(SeriesWriter out, List<GroupSample> groups) {
        String prefix = "redpanda_kafka_consumer_group_";
        out.gauge(prefix + "committed_offset", "Next offset that a group will read");
        for (GroupSample group : groups) {
            for (Offset offset : group.offsets()) {
                out.sample(
                        offset.committed(),
                        "redpanda_group",
                        group.id(),
                        "redpanda_topic",
                        offset.topic(),
                        "redpanda_partition",
                        Integer.toString(offset.partition()));
            }
        }
        ofGroups(
                out,
                groups,
                prefix + "lag_sum",
                "Sum of the lags of a group",
                group -> group.offsets().stream()
                        .mapToLong(offset -> Math.max(0, offset.lagRecords()))
                        .sum());
        ofGroups(
                out,
                groups,
                prefix + "lag_max",
                "Largest lag of a group",
                group -> group.offsets().stream()
                        .mapToLong(offset -> Math.max(0, offset.lagRecords()))
                        .max()
                        .orElse(0));
        ofGroups(out, groups, prefix + "consumers", "Members of a group", GroupSample::members);
        ofGroups(
                out,
                groups,
                prefix + "topics",
                "Topics that a group has offsets of",
                group -> group.offsets().stream().map(Offset::topic).distinct().count());
    }

    private static void ofGroups(
            SeriesWriter out, List<GroupSample> groups, String name, String help, ToLongFunction<GroupSample> value) {
        out.gauge(name, help);
        groups.forEach(group -> out.sample(value.applyAsLong(group), "redpanda_group", group.id()));
    }
}
