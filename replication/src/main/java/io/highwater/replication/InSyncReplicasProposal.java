package io.highwater.replication;

import java.util.ArrayList;
import java.util.List;

/**
 * A leader asks for another set of in-sync replicas. Asking is not having: nothing is official before the answer.
 *
 * @param leaderEpoch the reign in which it asks
 * @param partitionEpoch the version of the set it wants to replace
 * @param members the wanted set
 * @param cause why somebody leaves or joins
 * @param evidence who leaves or joins, as the leader saw them when it decided
 * @param logEndOffset where the leader's own log ended then (exclusive)
 * @param highWatermark all below it was committed then (exclusive)
 */
public record InSyncReplicasProposal(
        int leaderEpoch,
        int partitionEpoch,
        List<Member> members,
        Cause cause,
        List<FollowerView> evidence,
        long logEndOffset,
        long highWatermark)
        implements Effect {

    /** Why a leader asks. */
    public enum Cause {
        /** Followers have not been caught up for longer than allowed. */
        LAGGING,
        /** A follower's connection broke and it has not come back within its grace. */
        DISCONNECTED,
        /** A follower has reached the high watermark and this reign's start. */
        CAUGHT_UP
    }

    /**
     * One wanted member.
     *
     * @param replicaId its broker
     * @param brokerEpoch the registration under which it was seen to be in sync, -1 if it did not say
     */
    public record Member(int replicaId, long brokerEpoch) {}

    /** Who leaves or joins. */
    public List<Integer> replicas() {
        List<Integer> ids = new ArrayList<>();
        evidence.forEach(follower -> ids.add(follower.replicaId()));
        return ids;
    }

    @Override
    public void performBy(EffectPerformer performer) {
        performer.propose(this);
    }
}
