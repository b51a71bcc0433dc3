package io.highwater.testkit;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One partition at one moment: what the controller has decided, in the newest metadata that a running broker has, and what each running
 * broker has of it. The brokers are looked at one after the other, so under load the offsets of two need not be of the same instant.
 *
 * @param topic its topic
 * @param partition its index
 * @param leader the leading broker, -1 if there is none
 * @param leaderEpoch reign of that leader
 * @param partitionEpoch version of the agreed in-sync replicas
 * @param assignedReplicas where it should live, the preferred leader first
 * @param inSyncReplicas the agreed ISR, in ascending order
 * @param eligibleLeaderReplicas the ELR, in ascending order
 * @param replicas by broker id; brokers that do not run, or have no replica that works, are missing
 */
public record PartitionState(
        String topic,
        int partition,
        int leader,
        int leaderEpoch,
        int partitionEpoch,
        List<Integer> assignedReplicas,
        List<Integer> inSyncReplicas,
        List<Integer> eligibleLeaderReplicas,
        Map<Integer, ReplicaState> replicas) {

    /** The replica of that broker; null if it does not run or has none. */
    public @Nullable ReplicaState replica(int brokerId) {
        return replicas.get(brokerId);
    }

    /** {@link ReplicaState#logEndOffset} of that broker's replica; -1 if it does not run or has none. */
    public long logEndOffset(int brokerId) {
        ReplicaState replica = replicas.get(brokerId);
        return replica == null ? -1 : replica.logEndOffset();
    }

    /** {@link ReplicaState#highWatermark} of that broker's replica; -1 if it does not run or has none. */
    public long highWatermark(int brokerId) {
        ReplicaState replica = replicas.get(brokerId);
        return replica == null ? -1 : replica.highWatermark();
    }

    /** The high watermark that counts, the leader's; -1 if there is no leader that runs. */
    public long highWatermark() {
        return highWatermark(leader);
    }

    @Override
    public String toString() {
        return topic + "-" + partition + ": leader " + leader + ", leader epoch " + leaderEpoch + ", partition epoch "
                + partitionEpoch + ", replicas " + assignedReplicas + ", ISR " + inSyncReplicas + ", ELR "
                + eligibleLeaderReplicas
                + replicas.values().stream().map(replica -> "\n  " + replica).collect(Collectors.joining());
    }
}
