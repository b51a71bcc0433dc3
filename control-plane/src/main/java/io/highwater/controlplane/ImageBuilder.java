package io.highwater.controlplane;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.DescribeClientQuotasRequestData;
import org.apache.kafka.common.message.DescribeClientQuotasResponseData;
import org.apache.kafka.common.message.DescribeUserScramCredentialsRequestData;
import org.apache.kafka.common.message.DescribeUserScramCredentialsResponseData;
import org.jspecify.annotations.Nullable;

/** Makes an image by hand, for tests of those who read images. Not thread-safe; what it builds is. */
public final class ImageBuilder {
    static final ClusterImage EMPTY = new ImageBuilder().build();

    private final Map<Integer, BrokerView> brokers = new HashMap<>();
    private final Map<String, TopicView> topicsByName = new HashMap<>();
    private final Map<Uuid, TopicView> topicsById = new HashMap<>();
    private final Map<ConfigResource, Map<String, String>> configs = new HashMap<>();
    private final Map<String, Short> features = new HashMap<>();
    private long offset = -1;

    ImageBuilder() {}

    /** Sets the offset of the last record. */
    public ImageBuilder offset(long lastRecord) {
        offset = lastRecord;
        return this;
    }

    /** Adds or replaces a broker. */
    public ImageBuilder broker(BrokerView broker) {
        brokers.put(broker.id(), broker);
        return this;
    }

    /** Adds or replaces a topic. */
    public ImageBuilder topic(TopicView topic) {
        topicsByName.put(topic.name(), topic);
        topicsById.put(topic.id(), topic);
        return this;
    }

    /** Sets the entries of a resource. */
    public ImageBuilder config(ConfigResource resource, Map<String, String> entries) {
        configs.put(resource, Map.copyOf(entries));
        return this;
    }

    /** Sets a finalized feature level. */
    public ImageBuilder feature(String name, int level) {
        features.put(name, (short) level);
        return this;
    }

    /** The image of what was added so far. */
    public ClusterImage build() {
        return new FixedImage(
                offset,
                Map.copyOf(brokers),
                Map.copyOf(topicsByName),
                Map.copyOf(topicsById),
                Map.copyOf(configs),
                Map.copyOf(features));
    }

    private record FixedImage(
            long offset,
            Map<Integer, BrokerView> brokersById,
            Map<String, TopicView> topicsByName,
            Map<Uuid, TopicView> topicsById,
            Map<ConfigResource, Map<String, String>> configs,
            Map<String, Short> finalizedFeatures)
            implements ClusterImage {

        @Override
        public @Nullable BrokerView broker(int id) {
            return brokersById.get(id);
        }

        @Override
        public Collection<BrokerView> brokers() {
            return brokersById.values();
        }

        @Override
        public Collection<Node> aliveNodes(String listenerName) {
            List<Node> nodes = new ArrayList<>();
            brokersById.keySet().forEach(id -> aliveNode(id, listenerName).ifPresent(nodes::add));
            return nodes;
        }

        @Override
        public Optional<Node> aliveNode(int id, String listenerName) {
            BrokerView broker = brokersById.get(id);
            return broker == null || broker.fenced() ? Optional.empty() : broker.node(listenerName);
        }

        @Override
        public @Nullable TopicView topic(String name) {
            return topicsByName.get(name);
        }

        @Override
        public @Nullable TopicView topic(Uuid id) {
            return topicsById.get(id);
        }

        @Override
        public Iterable<TopicView> topics() {
            return topicsById.values();
        }

        @Override
        public Set<String> topicNames() {
            return topicsByName.keySet();
        }

        @Override
        public @Nullable PartitionView partition(String topic, int index) {
            TopicView view = topicsByName.get(topic);
            return view == null ? null : view.partition(index);
        }

        @Override
        public @Nullable PartitionView partition(Uuid topicId, int index) {
            TopicView view = topicsById.get(topicId);
            return view == null ? null : view.partition(index);
        }

        @Override
        public Map<String, String> config(ConfigResource resource) {
            return configs.getOrDefault(resource, Map.of());
        }

        @Override
        public Set<ConfigResource> configuredResources() {
            return configs.keySet();
        }

        @Override
        public DescribeClientQuotasResponseData describeClientQuotas(DescribeClientQuotasRequestData request) {
            return new DescribeClientQuotasResponseData().setEntries(List.of());
        }

        @Override
        public DescribeUserScramCredentialsResponseData describeUserScramCredentials(
                DescribeUserScramCredentialsRequestData request) {
            return new DescribeUserScramCredentialsResponseData();
        }
    }
}
