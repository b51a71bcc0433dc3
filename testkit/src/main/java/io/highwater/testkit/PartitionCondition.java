package io.highwater.testkit;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a partition can be waited for to be, together with how it is said.
 *
 * <pre>{@code
 * cluster.await("orders", 0, PartitionCondition.inSyncReplicas(1, 2).and(PartitionCondition.highWatermark(12)));
 * cluster.await("orders", 0, PartitionCondition.of("broker 3 is behind", state -> state.logEndOffset(3) < state.logEndOffset(1)));
 * }</pre>
 */
public final class PartitionCondition {
    private final String sentence;
    private final Predicate<PartitionState> holds;

    private PartitionCondition(String sentence, Predicate<PartitionState> holds) {
        this.sentence = sentence;
        this.holds = holds;
    }

    /** Anything. */
    public static PartitionCondition of(String sentence, Predicate<PartitionState> holds) {
        return new PartitionCondition(sentence, holds);
    }

    /** That broker is the leader, by the controller's word and its own. */
    public static PartitionCondition leader(int brokerId) {
        return of("leader " + brokerId, state -> state.leader() == brokerId && leads(state));
    }

    /** There is a leader, by the controller's word and its own. */
    public static PartitionCondition led() {
        return of("some leader", PartitionCondition::leads);
    }

    /** The leader epoch is this or a later one. */
    public static PartitionCondition leaderEpochFrom(int epoch) {
        return of("leader epoch " + epoch + " or later", state -> state.leaderEpoch() >= epoch);
    }

    /** The partition epoch is this or a later one. */
    public static PartitionCondition partitionEpochFrom(int epoch) {
        return of("partition epoch " + epoch + " or later", state -> state.partitionEpoch() >= epoch);
    }

    /** Exactly these are in sync. */
    public static PartitionCondition inSyncReplicas(Integer... brokerIds) {
        List<Integer> wanted = Arrays.stream(brokerIds).sorted().toList();
        return of("ISR " + wanted, state -> state.inSyncReplicas().equals(wanted));
    }

    /** Exactly these are in sync, by the controller's word and the leader's own: what is asked of the leader from now on goes by that. */
    public static PartitionCondition inSyncReplicasAtLeader(Integer... brokerIds) {
        List<Integer> wanted = Arrays.stream(brokerIds).sorted().toList();
        return of("ISR " + wanted + " at the leader", state -> {
            ReplicaState leader = state.replica(state.leader());
            return leads(state)
                    && state.inSyncReplicas().equals(wanted)
                    && leader != null
                    && leader.inSyncReplicas().equals(wanted);
        });
    }

    /** The leader's high watermark is exactly this. */
    public static PartitionCondition highWatermark(long offset) {
        return of("HW " + offset, state -> state.highWatermark() == offset);
    }

    /** That replica's high watermark is exactly this. */
    public static PartitionCondition highWatermark(int brokerId, long offset) {
        return of("HW " + offset + " on broker " + brokerId, state -> state.highWatermark(brokerId) == offset);
    }

    /** That replica's log ends exactly there (exclusive). */
    public static PartitionCondition logEndOffset(int brokerId, long offset) {
        return of("LEO " + offset + " on broker " + brokerId, state -> state.logEndOffset(brokerId) == offset);
    }

    /** All assigned replicas are in sync, and have all that the leader has, and know it to be committed. */
    public static PartitionCondition whole() {
        return of(
                "all replicas in sync and equal",
                state -> leads(state)
                        && state.inSyncReplicas().size()
                                == state.assignedReplicas().size()
                        && state.assignedReplicas().stream()
                                .allMatch(id -> state.logEndOffset(id) == state.logEndOffset(state.leader())
                                        && state.highWatermark(id) == state.logEndOffset(state.leader())));
    }

    private static boolean leads(PartitionState state) {
        ReplicaState leader = state.replica(state.leader());
        return leader != null && leader.leading() && leader.leaderEpoch() == state.leaderEpoch();
    }

    /** Both at the same moment. */
    public PartitionCondition and(PartitionCondition other) {
        return of(this + " and " + other, state -> holds.test(state) && other.holds.test(state));
    }

    /** Whether it is so. */
    public boolean holds(PartitionState state) {
        return holds.test(state);
    }

    @Override
    public String toString() {
        return sentence;
    }
}
