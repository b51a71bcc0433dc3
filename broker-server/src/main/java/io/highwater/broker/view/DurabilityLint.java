package io.highwater.broker.view;

import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import io.highwater.controlplane.TopicView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.internals.Topic;
import org.jspecify.annotations.Nullable;

/**
 * Looks for what makes records less safe than they could be. Pure; costs a look at each topic, not at each partition.
 */
final class DurabilityLint {
    /** More findings are not listed. */
    static final int MOST_FINDINGS = 1_000;

    /** Acks that were seen longer ago are forgotten. */
    static final long ACKS_REMEMBERED_MS = 3_600_000;

    private static final String WARNING = "warning";
    private static final String INFO = "info";
    private static final int ENOUGH_COPIES = 3;

    private final ClusterImage image;
    private final TopicSettings settings;
    private final Map<String, AcksSeen> acks;
    private final long nowMs;
    private final int brokers;
    private final List<LintFinding> findings = new ArrayList<>();

    /** @param acks by topic */
    DurabilityLint(ClusterImage image, TopicSettings settings, Map<String, AcksSeen> acks, long nowMs) {
        this.image = image;
        this.settings = settings;
        this.acks = acks;
        this.nowMs = nowMs;
        this.brokers = image.brokers().size();
    }

    /** Those about the cluster first, then by topic. */
    List<LintFinding> findings() {
        if (brokers == 0) {
            return List.of();
        }
        if (brokers == 1) {
            find(
                    LintRule.ONE_BROKER,
                    INFO,
                    null,
                    "there is one broker: what its disk loses is lost",
                    "run three brokers");
        }
        racks();
        for (String topic : new TreeSet<>(image.topicNames())) {
            TopicView view = image.topic(topic);
            if (view != null && !view.partitions().isEmpty() && findings.size() < MOST_FINDINGS) {
                topic(view, view.partitions().get(0));
            }
        }
        return List.copyOf(findings.subList(0, Math.min(findings.size(), MOST_FINDINGS)));
    }

    private void topic(TopicView topic, PartitionView first) {
        String name = topic.name();
        int copies = first.replicas().size() - first.addingReplicas().size();
        int minInSync = settings.minInsyncReplicas(image, name);
        boolean internal = Topic.isInternal(name);
        if (copies == 1 && brokers > 1) {
            find(
                    internal ? LintRule.INTERNAL_REPLICATION : LintRule.ONE_COPY,
                    WARNING,
                    name,
                    "topic " + name + " has one copy: it is gone while its broker is down, and lost with its disk",
                    "kafka-reassign-partitions to brokers of your choice, three of them");
        } else if (internal && copies < Math.min(ENOUGH_COPIES, brokers)) {
            find(
                    LintRule.INTERNAL_REPLICATION,
                    WARNING,
                    name,
                    "topic " + name + " has " + copies + " copies, and there are " + brokers
                            + " brokers: groups and transactions hang on it",
                    "kafka-reassign-partitions to three brokers, and set its replication factor for the next cluster");
        }
        if (copies > 1 && minInSync <= 1) {
            find(
                    LintRule.MIN_ISR_ONE,
                    WARNING,
                    name,
                    "topic " + name + " has min.insync.replicas=" + minInSync
                            + ": a write with acks=all may be acknowledged with one copy",
                    alter(name, "min.insync.replicas=" + (copies > 2 ? 2 : copies)));
        } else if (copies > 1 && minInSync >= copies) {
            find(
                    LintRule.MIN_ISR_ALL,
                    WARNING,
                    name,
                    "topic " + name + " has min.insync.replicas=" + minInSync + " and " + copies
                            + " copies: writes with acks=all are refused while one broker is down",
                    copies > 2 ? alter(name, "min.insync.replicas=" + (copies - 1)) : "give it a third copy");
        }
        if (settings.electsUncleanly(image, name)) {
            find(
                    LintRule.UNCLEAN_ELECTION,
                    WARNING,
                    name,
                    "topic " + name
                            + " has unclean.leader.election.enable=true: a replica that misses committed records may"
                            + " lead",
                    alter(name, "unclean.leader.election.enable=false"));
        }
        acks(name);
    }

    private void acks(String name) {
        AcksSeen seen = acks.get(name);
        if (seen == null) {
            return;
        }
        if (seen.noneAtMs() > nowMs - ACKS_REMEMBERED_MS) {
            find(
                    LintRule.ACKS_NONE,
                    WARNING,
                    name,
                    "producers write to topic " + name + " with acks=0: they never learn of records that are lost",
                    "set acks=all in the producers");
        }
        if (seen.leaderAtMs() > nowMs - ACKS_REMEMBERED_MS) {
            find(
                    LintRule.ACKS_LEADER,
                    WARNING,
                    name,
                    "producers write to topic " + name
                            + " with acks=1: acknowledged records are lost with a leader that dies before they are"
                            + " copied",
                    "set acks=all in the producers");
        }
    }

    private void racks() {
        if (brokers == 1) {
            return;
        }
        Set<String> racks = new TreeSet<>();
        boolean unset = false;
        for (BrokerView broker : image.brokers()) {
            String rack = broker.rack();
            if (rack == null) {
                unset = true;
            } else {
                racks.add(rack);
            }
        }
        if (racks.isEmpty()) {
            find(
                    LintRule.RACKS,
                    INFO,
                    null,
                    "no broker says which rack it is in: all copies may be behind one switch or in one zone",
                    "set broker.rack");
        } else if (unset || racks.size() == 1) {
            find(
                    LintRule.RACKS,
                    WARNING,
                    null,
                    unset
                            ? "some brokers have a rack and some do not: copies are not spread over racks"
                            : "all brokers are in rack " + racks.iterator().next()
                                    + ": copies cannot be spread over racks",
                    "set broker.rack to where each broker is");
        }
    }

    private void find(LintRule rule, String severity, @Nullable String topic, String text, String fix) {
        findings.add(new LintFinding(rule.label(), severity, topic, text, fix));
    }

    private static String alter(String topic, String setting) {
        return "kafka-configs --alter --topic " + topic + " --add-config " + setting;
    }
}
