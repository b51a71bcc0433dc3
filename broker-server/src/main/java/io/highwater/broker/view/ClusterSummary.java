package io.highwater.broker.view;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.view.ClusterReport.BrokerState;
import io.highwater.broker.view.ClusterReport.TopicState;
import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import io.highwater.controlplane.TopicView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.internals.Topic;

/** The cluster in one look, from the metadata alone and from who answers. Pure. Costs a walk through all partitions. */
final class ClusterSummary {
    private final ClusterImage image;
    private final TopicSettings settings;
    private final Map<Integer, int[]> counts = new TreeMap<>();

    ClusterSummary(ClusterImage image, TopicSettings settings) {
        this.image = image;
        this.settings = settings;
    }

    /** @param silent brokers that were asked and did not answer */
    ClusterReport report(String clusterId, int brokerId, int controller, Set<Integer> silent) {
        List<TopicState> topics = new ArrayList<>();
        for (TopicView topic : image.topics()) {
            topics.add(topic(topic));
        }
        topics.sort(Comparator.comparing(TopicState::name));
        boolean more = topics.size() > ClusterReport.MOST_TOPICS;
        List<BrokerState> brokers = image.brokers().stream()
                .sorted(Comparator.comparingInt(BrokerView::id))
                .map(broker -> broker(broker, silent.contains(broker.id())))
                .toList();
        return new ClusterReport(
                clusterId,
                brokerId,
                controller,
                image.offset(),
                brokers,
                more,
                List.copyOf(more ? topics.subList(0, ClusterReport.MOST_TOPICS) : topics));
    }

    private BrokerState broker(BrokerView broker, boolean isSilent) {
        Endpoint clients = broker.firstEndpointBut(BrokerConfig.HTTP_LISTENER);
        Endpoint http = broker.endpoints().get(BrokerConfig.HTTP_LISTENER);
        int[] counted = counts.getOrDefault(broker.id(), new int[2]);
        return new BrokerState(
                broker.id(),
                broker.fenced()
                        ? "FENCED"
                        : broker.inControlledShutdown() ? "SHUTTING_DOWN" : isSilent ? "UNREACHABLE" : "RUNNING",
                clients == null ? "" : clients.host(),
                clients == null ? -1 : clients.port(),
                broker.rack(),
                http == null ? null : http.host() + ":" + http.port(),
                counted[0],
                counted[1]);
    }

    private TopicState topic(TopicView topic) {
        int underReplicated = 0;
        int offline = 0;
        for (PartitionView partition : topic.partitions()) {
            underReplicated += isUnderReplicated(partition) ? 1 : 0;
            offline += partition.leader() == PartitionView.NO_LEADER ? 1 : 0;
            for (int broker : partition.replicas()) {
                int[] counted = counts.computeIfAbsent(broker, id -> new int[2]);
                counted[0] += partition.leader() == broker ? 1 : 0;
                counted[1]++;
            }
        }
        return new TopicState(
                topic.name(),
                Topic.isInternal(topic.name()),
                topic.partitions().size(),
                topic.partitions().isEmpty()
                        ? 0
                        : topic.partitions().get(0).replicas().size(),
                settings.minInsyncReplicas(image, topic.name()),
                underReplicated,
                offline);
    }

    /** Whether replicas are missing; one that is only being added is not missing. */
    private static boolean isUnderReplicated(PartitionView partition) {
        return partition.inSyncReplicas().size()
                < partition.replicas().size() - partition.addingReplicas().size();
    }
}
