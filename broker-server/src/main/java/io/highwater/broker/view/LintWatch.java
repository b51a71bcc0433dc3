package io.highwater.broker.view;

import io.highwater.broker.metrics.SeriesSource;
import io.highwater.broker.metrics.SeriesWriter;
import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Looks now and then for what makes records less safe, says each new finding once in the log, and counts them as a metric. Of all brokers one has
 * each finding, so that the cluster's sum is right: who leads the topic's first partition, or for the cluster the alive broker with the lowest id.
 * {@link #look} by one thread at a time.
 */
public final class LintWatch implements SeriesSource {
    /** Between two looks. */
    public static final long PERIOD_MS = 60_000;

    private static final Logger LOG = LoggerFactory.getLogger(LintWatch.class);
    private static final String NAME = "highwater_durability_lint_findings";

    private final LocalView local;
    private final Supplier<ClusterImage> image;
    private final TopicSettings settings;
    private final LongSupplier wallClockMs;
    private Set<LintFinding> known = Set.of();
    private volatile Map<String, Long> counts = Map.of();

    /** Has not looked yet. */
    public LintWatch(LocalView local, Supplier<ClusterImage> image, TopicSettings settings, LongSupplier wallClockMs) {
        this.local = local;
        this.image = image;
        this.settings = settings;
        this.wallClockMs = wallClockMs;
    }

    /** Looks once. */
    public void look() {
        ClusterImage now = image.get();
        Map<String, AcksSeen> acks = new TreeMap<>();
        local.acksHere().forEach(seen -> acks.put(seen.topic(), seen));
        Set<LintFinding> found = new LinkedHashSet<>();
        Map<String, Long> counted = new TreeMap<>();
        for (LintFinding finding : new DurabilityLint(now, settings, acks, wallClockMs.getAsLong()).findings()) {
            if (isOurs(now, finding)) {
                found.add(finding);
                counted.merge(finding.rule(), 1L, Long::sum);
                if (!known.contains(finding)) {
                    LOG.atLevel(finding.severity().equals("warning") ? Level.WARN : Level.INFO)
                            .log("Durability: {}. To mend it: {}", finding.text(), finding.fix());
                }
            }
        }
        known = found;
        counts = counted;
    }

    private boolean isOurs(ClusterImage now, LintFinding finding) {
        PartitionView first = finding.topic() == null ? null : now.partition(finding.topic(), 0);
        if (first != null && first.leader() != PartitionView.NO_LEADER) {
            return first.leader() == local.nodeId();
        }
        return now.brokers().stream()
                        .filter(BrokerView::active)
                        .mapToInt(BrokerView::id)
                        .min()
                        .orElse(-1)
                == local.nodeId();
    }

    @Override
    public void writeTo(SeriesWriter out) {
        out.family(
                NAME,
                "gauge",
                "What makes records less safe than they could be, see /api/lint; the sum over brokers counts each"
                        + " once.");
        Map<String, Long> now = counts;
        for (LintRule rule : LintRule.values()) {
            out.sample(now.getOrDefault(rule.label(), 0L), "rule", rule.label());
        }
    }
}
