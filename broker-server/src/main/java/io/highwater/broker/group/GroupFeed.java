package io.highwater.broker.group;

import io.highwater.controlplane.ImageChange;
import io.highwater.controlplane.ImageListener;
import io.highwater.controlplane.PartitionChange;
import io.highwater.controlplane.PartitionView;
import io.highwater.controlplane.TopicView;
import io.highwater.coordination.group.GroupCoordination;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.internals.Topic;

/**
 * Tells group coordination what it must hear: the roles of this broker's replicas of {@code __consumer_offsets}, which come from the partitions
 * themselves, so that a coordinator is never elected before its partition serves; and topics, brokers and settings of groups, which come with
 * the images. Any thread.
 *
 * <p>The elections of one image are told together, when all of its replicas have been seen to: the first of fifty new partitions would otherwise
 * serve long before the last, and a client that was answered about one group be refused about the next.
 */
public final class GroupFeed implements ImageListener {
    private final GroupCoordination groups;

    /** Leader epochs of partitions that lead and have not been told of. Guarded by itself. */
    private final Map<Integer, Integer> elected = new HashMap<>();

    /** Tells {@code groups}. */
    public GroupFeed(GroupCoordination groups) {
        this.groups = groups;
    }

    /** This replica leads from now on; to be followed by {@link #onRolesGiven}. */
    public void onLeading(TopicPartition partition, int leaderEpoch) {
        if (isOffsets(partition)) {
            synchronized (elected) {
                elected.put(partition.partition(), leaderEpoch);
            }
        }
    }

    /** All replicas that an image concerns have their roles, or have failed. */
    public void onRolesGiven() {
        synchronized (elected) {
            if (!elected.isEmpty()) {
                groups.onElections(elected);
                elected.clear();
            }
        }
    }

    /** This replica follows from now on. */
    public void onFollowing(TopicPartition partition, int leaderEpoch) {
        onLeadingNoMore(partition, OptionalInt.of(leaderEpoch));
    }

    /** This replica is gone, or its disk is. */
    public void onRemoved(TopicPartition partition) {
        onLeadingNoMore(partition, OptionalInt.empty());
    }

    private void onLeadingNoMore(TopicPartition partition, OptionalInt leaderEpoch) {
        if (isOffsets(partition)) {
            synchronized (elected) {
                elected.remove(partition.partition());
                groups.onResignation(partition.partition(), leaderEpoch);
            }
        }
    }

    @Override
    public void onChange(ImageChange change) {
        Set<Uuid> changed = new HashSet<>();
        for (PartitionChange partition : change.changedPartitions()) {
            if (matters(partition)) {
                changed.add(partition.after().topicId());
            }
        }
        Set<Uuid> deleted = new HashSet<>();
        for (TopicView topic : change.deletedTopics()) {
            deleted.add(topic.id());
        }
        if (!changed.isEmpty() || !deleted.isEmpty() || !change.changedBrokers().isEmpty()) {
            groups.onMetadataUpdate(new ImageTopics(change.after()), changed, deleted);
        }
        for (ConfigResource resource : change.changedConfigs()) {
            if (resource.type() == ConfigResource.Type.GROUP) {
                groups.onGroupConfig(resource.name(), change.after().config(resource));
            }
        }
    }

    /** New leaders and in-sync replicas do not: they change often, and assignment does not ask for them. */
    private static boolean matters(PartitionChange change) {
        PartitionView before = change.before();
        return before == null || !before.replicas().equals(change.after().replicas());
    }

    private static boolean isOffsets(TopicPartition partition) {
        return partition.topic().equals(Topic.GROUP_METADATA_TOPIC_NAME);
    }
}
