package io.highwater.broker.group;

import io.highwater.controlplane.ImageChange;
import io.highwater.controlplane.ImageListener;
import io.highwater.controlplane.PartitionChange;
import io.highwater.controlplane.PartitionView;
import io.highwater.controlplane.TopicView;
import io.highwater.coordination.group.GroupCoordination;
import java.util.HashSet;
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
 */
public final class GroupFeed implements ImageListener {
    private final GroupCoordination groups;

    /** Tells {@code groups}. */
    public GroupFeed(GroupCoordination groups) {
        this.groups = groups;
    }

    /** This replica leads from now on. */
    public void onLeading(TopicPartition partition, int leaderEpoch) {
        if (isOffsets(partition)) {
            groups.onElection(partition.partition(), leaderEpoch);
        }
    }

    /** This replica follows from now on. */
    public void onFollowing(TopicPartition partition, int leaderEpoch) {
        if (isOffsets(partition)) {
            groups.onResignation(partition.partition(), OptionalInt.of(leaderEpoch));
        }
    }

    /** This replica is gone, or its disk is. */
    public void onRemoved(TopicPartition partition) {
        if (isOffsets(partition)) {
            groups.onResignation(partition.partition(), OptionalInt.empty());
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
