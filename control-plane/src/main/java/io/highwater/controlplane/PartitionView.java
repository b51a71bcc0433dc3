package io.highwater.controlplane;

import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * What the controller has decided about one partition. Immutable.
 *
 * @param topic the topic's name
 * @param topicId the topic's id
 * @param index the partition within it
 * @param leader the leading broker, or {@link #NO_LEADER}
 * @param leaderEpoch reign of that leader
 * @param partitionEpoch version of the agreed ISR
 * @param replicas where the partition should live, preferred leader first; includes those being added or removed
 * @param inSyncReplicas the agreed ISR
 * @param eligibleLeaderReplicas outside the ISR, but known to hold all committed records
 * @param lastKnownElr who left the ELR by an unclean stop
 * @param addingReplicas being added by a reassignment
 * @param removingReplicas to go when the reassignment completes
 * @param directories the directory id of each replica, in the order of {@code replicas}
 * @param recovering the leader was elected uncleanly and has not yet confirmed that it recovered
 */
public record PartitionView(
        String topic,
        Uuid topicId,
        int index,
        int leader,
        int leaderEpoch,
        int partitionEpoch,
        List<Integer> replicas,
        List<Integer> inSyncReplicas,
        List<Integer> eligibleLeaderReplicas,
        List<Integer> lastKnownElr,
        List<Integer> addingReplicas,
        List<Integer> removingReplicas,
        List<Uuid> directories,
        boolean recovering) {

    /** The leader of a partition that has none. */
    public static final int NO_LEADER = -1;

    public PartitionView {
        replicas = List.copyOf(replicas);
        inSyncReplicas = List.copyOf(inSyncReplicas);
        eligibleLeaderReplicas = List.copyOf(eligibleLeaderReplicas);
        lastKnownElr = List.copyOf(lastKnownElr);
        addingReplicas = List.copyOf(addingReplicas);
        removingReplicas = List.copyOf(removingReplicas);
        directories = List.copyOf(directories);
        if (directories.size() != replicas.size()) {
            throw new IllegalArgumentException(
                    directories.size() + " directories for " + replicas.size() + " replicas of " + topic + "-" + index);
        }
    }

    /** Topic name and index together. */
    public TopicPartition topicPartition() {
        return new TopicPartition(topic, index);
    }

    /** Whether {@code brokerId} should hold a replica. */
    public boolean assignedTo(int brokerId) {
        return replicas.contains(brokerId);
    }

    /** The directory in which {@code brokerId} should hold its replica; the unassigned id if it holds none. */
    public Uuid directoryOf(int brokerId) {
        int at = replicas.indexOf(brokerId);
        return at < 0 ? Uuid.ZERO_UUID : directories.get(at);
    }
}
