package io.highwater.controlplane;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicDelta;
import org.apache.kafka.image.TopicsDelta;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.jspecify.annotations.Nullable;

/**
 * Holds the newest image, and works out once per image what changed. Installed before all listeners, so that each of them
 * finds the image it is told of already in force. Owned by the loader's thread; {@link #image()} is for every thread.
 */
final class ImagePublisher implements MetadataPublisher {
    private final TopicViews topicViews = new TopicViews();
    private final LongConsumer onImage;
    private volatile ClusterImage image = ClusterImage.empty();
    private volatile long appliedRecordMs = -1;
    private @Nullable MetadataDelta lastDelta;
    private @Nullable ImageChange lastChange;

    /** @param onImage told the offset of each image when it is in force, on the loader's thread */
    ImagePublisher(LongConsumer onImage) {
        this.onImage = onImage;
    }

    ClusterImage image() {
        return image;
    }

    /** When the controller wrote the last record in the image, in ms; -1 before the first. */
    long appliedRecordMs() {
        return appliedRecordMs;
    }

    @Override
    public String name() {
        return "highwater-images";
    }

    @Override
    public void onMetadataUpdate(MetadataDelta delta, MetadataImage newImage, LoaderManifest manifest) {
        ClusterImage before = image;
        KRaftImage after = new KRaftImage(newImage, topicViews, before instanceof KRaftImage last ? last : null);
        ImageChange change = change(delta, before, after);
        image = after;
        appliedRecordMs = newImage.provenance().lastContainedLogTimeMs();
        lastDelta = delta;
        lastChange = change;
        onImage.accept(after.offset());
    }

    /** What the image brought that came with {@code delta}. */
    @SuppressWarnings("ReferenceEquality") // a delta is one object for all publishers
    ImageChange changeOf(MetadataDelta delta) {
        ImageChange change = lastChange;
        if (change == null || delta != lastDelta) {
            throw new IllegalStateException("a listener was told of an image before the publisher of images");
        }
        return change;
    }

    /** From nothing to all that holds. */
    ImageChange everything() {
        ClusterImage now = image;
        List<PartitionChange> partitions = new ArrayList<>();
        now.topics()
                .forEach(topic -> topic.partitions().forEach(view -> partitions.add(new PartitionChange(null, view))));
        Set<Integer> brokers = new HashSet<>();
        now.brokers().forEach(broker -> brokers.add(broker.id()));
        return new ImageChange(
                ClusterImage.empty(), now, List.of(), partitions, now.configuredResources(), brokers, true, true);
    }

    private ImageChange change(MetadataDelta delta, ClusterImage before, ClusterImage after) {
        List<TopicView> deleted = new ArrayList<>();
        List<PartitionChange> partitions = new ArrayList<>();
        TopicsDelta topics = delta.topicsDelta();
        if (topics != null) {
            for (Uuid id : topics.deletedTopicIds()) {
                TopicView topic = before.topic(id);
                if (topic != null) {
                    deleted.add(topic);
                }
            }
            topics.changedTopics().forEach((id, topic) -> addPartitions(id, topic, before, after, partitions));
            topicViews.forget(topics.deletedTopicIds());
        }
        Set<ConfigResource> configs = delta.configsDelta() == null
                ? Set.of()
                : Set.copyOf(delta.configsDelta().changes().keySet());
        Set<Integer> brokers = delta.clusterDelta() == null
                ? Set.of()
                : Set.copyOf(delta.clusterDelta().changedBrokers().keySet());
        return new ImageChange(
                before,
                after,
                deleted,
                partitions,
                configs,
                brokers,
                delta.featuresDelta() != null,
                delta.clientQuotasDelta() != null);
    }

    private static void addPartitions(
            Uuid id, TopicDelta topic, ClusterImage before, ClusterImage after, List<PartitionChange> partitions) {
        // Once for the topic: of its versions only the one asked for last is remembered, and to make one costs a look
        // at each partition.
        TopicView then = before.topic(id);
        TopicView now = after.topic(id);
        if (now == null) {
            return;
        }
        for (int index : topic.partitionChanges().keySet()) {
            PartitionView view = now.partition(index);
            if (view != null) {
                partitions.add(new PartitionChange(then == null ? null : then.partition(index), view));
            }
        }
    }

    @Override
    public void close() {}
}
