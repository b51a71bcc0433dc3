package io.highwater.replication;

import java.util.List;

/**
 * A leader asks for another set of in-sync replicas. Asking is not having: nothing is official before the answer.
 *
 * @param leaderEpoch the reign in which it asks
 * @param partitionEpoch the version of the set it wants to replace
 * @param members the wanted set
 * @param cause why, with who leaves or joins
 * @param replicas who leaves or joins
 */
public record InSyncReplicasProposal(
        int leaderEpoch, int partitionEpoch, List<Member> members, Cause cause, List<Integer> replicas)
        implements Effect {

    /** Why a leader asks. */
    public enum Cause {
        /** Followers have not been caught up for longer than allowed. */
        LAGGING,
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

    @Override
    public void performBy(EffectPerformer performer) {
        performer.propose(this);
    }
}
