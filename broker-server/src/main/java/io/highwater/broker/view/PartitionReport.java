package io.highwater.broker.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One partition with everything there is to say about it. Replicas are looked at one after the other, so under load the offsets of two need not be
 * of the same instant. Offsets and epochs are -1 if they are not known.
 *
 * @param topic its topic
 * @param partition its index
 * @param leader the leading broker, -1 if there is none
 * @param leaderEpoch reign of that leader
 * @param partitionEpoch version of the agreed ISR
 * @param minInsyncReplicas fewer refuse acks=all
 * @param isr the agreed in-sync replicas, ascending
 * @param elr outside the ISR, but known to hold all that is committed
 * @param lastKnownElr who left the ELR by an unclean stop
 * @param assigned where it should live, the preferred leader first
 * @param logStart first offset kept, the leader's
 * @param highWatermark all below it is committed (exclusive), the leader's
 * @param lastStableOffset no open transaction below it (exclusive), the leader's
 * @param logEnd next offset to be written (exclusive), the leader's
 * @param replicas in the order of the assignment
 * @param pendingAlterPartition what the leader asks of the controller; null if nothing
 * @param waitingProduces writes that wait for the copies for longer than a moment, the lowest first
 * @param error why something is missing here; null if nothing is
 */
public record PartitionReport(
        String topic,
        int partition,
        int leader,
        int leaderEpoch,
        int partitionEpoch,
        int minInsyncReplicas,
        List<Integer> isr,
        List<Integer> elr,
        List<Integer> lastKnownElr,
        List<Integer> assigned,
        long logStart,
        long highWatermark,
        long lastStableOffset,
        long logEnd,
        List<ReplicaState> replicas,
        @Nullable PendingAlterPartition pendingAlterPartition,
        List<WaitingProduce> waitingProduces,
        @Nullable String error) {

    /**
     * A change of the ISR that is asked for and not answered.
     *
     * @param isr the wanted set, ascending
     * @param sinceMs for how long
     */
    public record PendingAlterPartition(List<Integer> isr, long sinceMs) {}

    /**
     * A write that waits.
     *
     * @param offset of its first record
     * @param nextOffset what the high watermark has to reach
     * @param ageMs since when
     * @param waitsFor the brokers that do not have it; empty if the ISR is too small
     * @param acks what it asked for, always -1
     */
    public record WaitingProduce(long offset, long nextOffset, long ageMs, List<Integer> waitsFor, int acks) {}

    /** Of a partition that nobody knows. */
    static PartitionReport missing(PartitionName name) {
        return new PartitionReport(
                name.topic(),
                name.partition(),
                -1,
                -1,
                -1,
                -1,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                -1,
                -1,
                -1,
                -1,
                List.of(),
                null,
                List.of(),
                "there is no partition " + name);
    }

    /** Whether it tells something that {@code before} does not, apart from the mere passing of time. */
    boolean isNewsAfter(@Nullable PartitionReport before) {
        return before == null || !ageless().equals(before.ageless());
    }

    /** Whether nothing is missing, so that it says nothing but what the leader and the replicas themselves have told. */
    boolean isWhole() {
        if (error != null) {
            return false;
        }
        for (ReplicaState replica : replicas) {
            if (!replica.inSync()) {
                return false;
            }
        }
        return true;
    }

    private PartitionReport ageless() {
        PendingAlterPartition pending = pendingAlterPartition;
        return new PartitionReport(
                topic,
                partition,
                leader,
                leaderEpoch,
                partitionEpoch,
                minInsyncReplicas,
                isr,
                elr,
                lastKnownElr,
                assigned,
                logStart,
                highWatermark,
                lastStableOffset,
                logEnd,
                replicas.stream().map(ReplicaState::ageless).toList(),
                pending == null ? null : new PendingAlterPartition(pending.isr, 0),
                waitingProduces,
                error);
    }
}
