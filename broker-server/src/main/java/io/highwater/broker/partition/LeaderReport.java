package io.highwater.broker.partition;

import io.highwater.replication.FollowerView;
import io.highwater.replication.InSyncReplicasProposal;
import io.highwater.replication.InSyncReplicasProposal.Member;
import io.highwater.replication.LeaderReplica;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the leader of a partition knows at one moment.
 *
 * @param partitionEpoch version of the agreed in-sync replicas
 * @param inSync the agreed in-sync replicas, ascending
 * @param minInSync fewer refuse acks=all
 * @param followers all other replicas, in the order of the assignment
 * @param pending what it asks of the controller; null if nothing
 * @param waiting writes that have waited for the copies for longer than {@link #SLOW_MS}, the lowest first, at most {@link #MOST_WAITING}
 */
public record LeaderReport(
        int partitionEpoch,
        List<Integer> inSync,
        int minInSync,
        List<FollowerView> followers,
        @Nullable Pending pending,
        List<WaitingWrite> waiting) {

    /** Writes that wait for less are no news. */
    public static final long SLOW_MS = 100;

    /** More are not listed. */
    public static final int MOST_WAITING = 100;

    /** So many are looked at under the lock; where more wait, some may be left out that are not the oldest. */
    static final int MOST_LOOKED_AT = 1_000;

    /**
     * A change of the in-sync replicas that the controller has not answered yet.
     *
     * @param inSync the wanted set, ascending
     * @param ageMs since when it is asked for
     */
    public record Pending(List<Integer> inSync, long ageMs) {}

    /**
     * A write with acks=all that is in the leader's log and not committed.
     *
     * @param baseOffset of its first record
     * @param requiredOffset what the high watermark has to reach
     * @param ageMs since when it waits
     * @param waitsFor the replicas that count and do not have it, ascending; empty if only the number of in-sync replicas is too small
     */
    public record WaitingWrite(long baseOffset, long requiredOffset, long ageMs, List<Integer> waitsFor) {}

    /** Under the partition's lock. */
    static LeaderReport of(LeaderReplica leader, OffsetQueue delayedProduces, long nowMs) {
        List<FollowerView> followers = leader.followers(nowMs);
        InSyncReplicasProposal asked = leader.pending();
        Pending pending = asked == null
                ? null
                : new Pending(
                        sorted(asked.members().stream().map(Member::replicaId).toList()),
                        nowMs - leader.pendingSinceMs());
        return new LeaderReport(
                leader.partitionEpoch(),
                sorted(leader.inSyncReplicas()),
                leader.minInSyncReplicas(),
                followers,
                pending,
                slow(leader, followers, delayedProduces, nowMs));
    }

    private static List<WaitingWrite> slow(
            LeaderReplica leader, List<FollowerView> followers, OffsetQueue delayedProduces, long nowMs) {
        if (delayedProduces.isEmpty()) {
            return List.of();
        }
        List<WaitingWrite> slow = new ArrayList<>();
        delayedProduces.forSome(MOST_LOOKED_AT, awaited -> {
            if (awaited instanceof DelayedProduce produce && nowMs - produce.parkedAtMs() >= SLOW_MS) {
                List<Integer> waitsFor = new ArrayList<>();
                for (FollowerView follower : followers) {
                    if (leader.maximalInSyncReplicas().contains(follower.replicaId())
                            && follower.logEndOffset() < produce.requiredOffset) {
                        waitsFor.add(follower.replicaId());
                    }
                }
                slow.add(new WaitingWrite(
                        produce.baseOffset(), produce.requiredOffset, nowMs - produce.parkedAtMs(), sorted(waitsFor)));
            }
        });
        slow.sort(Comparator.comparingLong(WaitingWrite::requiredOffset));
        return List.copyOf(slow.subList(0, Math.min(MOST_WAITING, slow.size())));
    }

    private static List<Integer> sorted(Collection<Integer> ids) {
        Integer[] sorted = ids.toArray(new Integer[0]);
        Arrays.sort(sorted);
        return List.of(sorted);
    }
}
