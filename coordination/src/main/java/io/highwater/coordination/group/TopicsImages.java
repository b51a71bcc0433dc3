package io.highwater.coordination.group;

import io.highwater.coordination.group.TopicsView.TopicShape;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.image.ClusterImage;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.image.TopicDelta;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.image.TopicsDelta;
import org.apache.kafka.image.TopicsImage;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.metadata.LeaderRecoveryState;
import org.apache.kafka.metadata.PartitionRegistration;

/**
 * Turns our views of the cluster into the images the library takes, topic by topic as they change. Only what the library reads of them is true:
 * ids, names, partition counts, and which racks hold a partition. Metadata thread only.
 */
final class TopicsImages {
    /** Distinct replica lists remembered, so that topics alike share them. When full, remembering starts again; nothing else changes. */
    private static final int MAX_SHARED = 10_000;

    private final Map<List<Integer>, PartitionRegistration> shared = new HashMap<>();
    private MetadataImage image = MetadataImage.EMPTY;

    /** The library's pair of arguments: the new image, and what is different in it. */
    record Update(MetadataDelta delta, MetadataImage image) {}

    Update next(TopicsView view, Set<Uuid> changed, Set<Uuid> deleted) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        TopicsImage topics = image.topics();
        if (!changed.isEmpty() || !deleted.isEmpty()) {
            TopicsDelta topicsDelta = delta.getOrCreateTopicsDelta();
            topics = withChanged(view, changed, withoutDeleted(deleted, topics, topicsDelta), topicsDelta);
        }
        image = new MetadataImage(
                new MetadataProvenance(view.version(), 0, 0, true),
                image.features(),
                new ClusterImage(brokers(view), Map.of()),
                topics,
                image.configs(),
                image.clientQuotas(),
                image.producerIds(),
                image.acls(),
                image.scram(),
                image.delegationTokens());
        return new Update(delta, image);
    }

    private static TopicsImage withoutDeleted(Set<Uuid> deleted, TopicsImage topics, TopicsDelta delta) {
        for (Uuid id : deleted) {
            TopicImage topic = topics.getTopic(id);
            if (topic != null) {
                delta.deletedTopicIds().add(id);
                topics = new TopicsImage(
                        topics.topicsById().removed(id), topics.topicsByName().removed(topic.name()));
            }
        }
        return topics;
    }

    private TopicsImage withChanged(TopicsView view, Set<Uuid> changed, TopicsImage topics, TopicsDelta delta) {
        for (Uuid id : changed) {
            TopicShape shape = view.topic(id);
            if (shape == null) {
                continue;
            }
            TopicImage topic = imageOf(shape);
            if (topics.getTopic(id) == null) {
                delta.replay(new TopicRecord().setTopicId(id).setName(shape.name()));
            }
            delta.changedTopics().put(id, new TopicDelta(topic));
            topics = topics.including(topic);
        }
        return topics;
    }

    private TopicImage imageOf(TopicShape shape) {
        Map<Integer, PartitionRegistration> partitions = new HashMap<>(shape.partitionCount() * 2);
        for (int partition = 0; partition < shape.partitionCount(); partition++) {
            partitions.put(partition, registration(shape.replicas().get(partition)));
        }
        return new TopicImage(shape.name(), shape.id(), partitions);
    }

    private PartitionRegistration registration(List<Integer> replicas) {
        if (shared.size() >= MAX_SHARED) {
            shared.clear();
        }
        return shared.computeIfAbsent(List.copyOf(replicas), TopicsImages::newRegistration);
    }

    private static PartitionRegistration newRegistration(List<Integer> replicas) {
        int[] ids = replicas.stream().mapToInt(Integer::intValue).toArray();
        Uuid[] directories = new Uuid[ids.length];
        Arrays.fill(directories, Uuid.ZERO_UUID);
        return new PartitionRegistration.Builder()
                .setReplicas(ids)
                .setDirectories(directories)
                .setIsr(ids)
                .setLeader(ids.length == 0 ? -1 : ids[0])
                .setLeaderRecoveryState(LeaderRecoveryState.RECOVERED)
                .setLeaderEpoch(0)
                .setPartitionEpoch(0)
                .build();
    }

    private static Map<Integer, BrokerRegistration> brokers(TopicsView view) {
        Map<Integer, BrokerRegistration> brokers = new HashMap<>();
        for (int id : view.brokers()) {
            brokers.put(
                    id,
                    new BrokerRegistration.Builder()
                            .setId(id)
                            .setIncarnationId(Uuid.ZERO_UUID)
                            .setRack(Optional.ofNullable(view.rackOf(id)))
                            .build());
        }
        return brokers;
    }
}
