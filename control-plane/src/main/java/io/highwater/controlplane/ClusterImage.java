package io.highwater.controlplane;

import java.util.Collection;
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

/**
 * The cluster at one offset of its metadata log. Immutable and safe for every thread; look-ups are hash look-ups.
 */
public interface ClusterImage {
    /** The image before anything is known. */
    static ClusterImage empty() {
        return ImageBuilder.EMPTY;
    }

    /** Begins an image made by hand, as tests of other rooms need it. */
    static ImageBuilder builder() {
        return new ImageBuilder();
    }

    /** The offset of the last metadata record in it, or -1. */
    long offset();

    /** The broker with that id, fenced or not, or null. */
    @Nullable
    BrokerView broker(int id);

    /** All registered brokers, fenced ones too. */
    Collection<BrokerView> brokers();

    /** Brokers that are not fenced, as clients of {@code listenerName} should see them. */
    Collection<Node> aliveNodes(String listenerName);

    /** The broker as a client of {@code listenerName} should see it; empty if it is unknown, fenced or has no such listener. */
    Optional<Node> aliveNode(int id, String listenerName);

    /** The topic with that name, or null. */
    @Nullable
    TopicView topic(String name);

    /** The topic with that id, or null. */
    @Nullable
    TopicView topic(Uuid id);

    /** All topics, in no particular order; builds nothing until it is walked. */
    Iterable<TopicView> topics();

    /** Names of all topics. */
    Set<String> topicNames();

    /** The partition, or null. */
    @Nullable
    PartitionView partition(String topic, int index);

    /** The partition, or null. */
    @Nullable
    PartitionView partition(Uuid topicId, int index);

    /** The entries set on exactly this resource, without any default; an empty broker name is the default of all brokers. */
    Map<String, String> config(ConfigResource resource);

    /** Resources that have entries of their own. */
    Set<ConfigResource> configuredResources();

    /** Finalized feature levels by name; {@code metadata.version} is among them once the image is not empty. */
    Map<String, Short> finalizedFeatures();

    /** Answers DescribeClientQuotas from the quotas in this image. */
    DescribeClientQuotasResponseData describeClientQuotas(DescribeClientQuotasRequestData request);

    /** Answers DescribeUserScramCredentials from the credentials in this image. */
    DescribeUserScramCredentialsResponseData describeUserScramCredentials(
            DescribeUserScramCredentialsRequestData request);

    /** The finalized level of a feature, 0 if it is off. */
    default short finalizedFeature(String name) {
        return finalizedFeatures().getOrDefault(name, (short) 0);
    }
}
