package io.highwater.controlplane;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
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
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.BrokerRegistration;
import org.jspecify.annotations.Nullable;

/** The library's image, seen through our views. Views of topics are made when first asked for and shared by successive images. */
final class KRaftImage implements ClusterImage {
    private final MetadataImage image;
    private final TopicViews topicViews;
    private final Map<Integer, BrokerView> brokers;

    /** @param before the image this one follows, whose views of brokers are kept while no broker changes */
    KRaftImage(MetadataImage image, TopicViews topicViews, @Nullable KRaftImage before) {
        this.image = image;
        this.topicViews = topicViews;
        this.brokers = before != null && sameBrokers(before.image, image) ? before.brokers : views(image);
    }

    // Identity, because equality would compare every broker; the library keeps the object when nothing changes.
    @SuppressWarnings("ReferenceEquality")
    private static boolean sameBrokers(MetadataImage one, MetadataImage other) {
        return one.cluster() == other.cluster();
    }

    private static Map<Integer, BrokerView> views(MetadataImage image) {
        Map<Integer, BrokerView> views = new HashMap<>();
        image.cluster().brokers().forEach((id, registration) -> views.put(id, view(registration)));
        return Map.copyOf(views);
    }

    private static BrokerView view(BrokerRegistration broker) {
        return new BrokerView(
                broker.id(),
                broker.epoch(),
                broker.incarnationId(),
                broker.fenced(),
                broker.inControlledShutdown(),
                broker.rack().orElse(null),
                broker.listeners(),
                broker.directories());
    }

    @Override
    public long offset() {
        return image.highestOffsetAndEpoch().offset();
    }

    @Override
    public @Nullable BrokerView broker(int id) {
        return brokers.get(id);
    }

    @Override
    public Collection<BrokerView> brokers() {
        return brokers.values();
    }

    @Override
    public Collection<Node> aliveNodes(String listenerName) {
        List<Node> nodes = new ArrayList<>(brokers.size());
        for (BrokerView broker : brokers.values()) {
            if (!broker.fenced()) {
                broker.node(listenerName).ifPresent(nodes::add);
            }
        }
        return nodes;
    }

    @Override
    public Optional<Node> aliveNode(int id, String listenerName) {
        BrokerView broker = brokers.get(id);
        return broker == null || broker.fenced() ? Optional.empty() : broker.node(listenerName);
    }

    @Override
    public @Nullable TopicView topic(String name) {
        return topicViews.of(image.topics().getTopic(name));
    }

    @Override
    public @Nullable TopicView topic(Uuid id) {
        return topicViews.of(image.topics().getTopic(id));
    }

    @Override
    public Iterable<TopicView> topics() {
        Collection<TopicImage> all = image.topics().topicsById().values();
        return () -> all.stream().map(topicViews::existing).iterator();
    }

    @Override
    public Set<String> topicNames() {
        return Collections.unmodifiableSet(image.topics().topicsByName().keySet());
    }

    @Override
    public @Nullable PartitionView partition(String topic, int index) {
        TopicView view = topic(topic);
        return view == null ? null : view.partition(index);
    }

    @Override
    public @Nullable PartitionView partition(Uuid topicId, int index) {
        TopicView view = topic(topicId);
        return view == null ? null : view.partition(index);
    }

    @Override
    public Map<String, String> config(ConfigResource resource) {
        return image.configs().configMapForResource(resource);
    }

    @Override
    public Set<ConfigResource> configuredResources() {
        return Collections.unmodifiableSet(image.configs().resourceData().keySet());
    }

    @Override
    public Map<String, Short> finalizedFeatures() {
        Map<String, Short> levels = new HashMap<>(image.features().finalizedVersions());
        image.features().metadataVersion().ifPresent(version -> levels.put("metadata.version", version.featureLevel()));
        return levels;
    }

    @Override
    public DescribeClientQuotasResponseData describeClientQuotas(DescribeClientQuotasRequestData request) {
        return image.clientQuotas().describe(request);
    }

    @Override
    public DescribeUserScramCredentialsResponseData describeUserScramCredentials(
            DescribeUserScramCredentialsRequestData request) {
        return image.scram().describe(request);
    }
}
