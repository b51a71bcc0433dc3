package io.highwater.replication;

/** Whoever acts for the replicas; a new effect is a new method here, so that nobody can ignore it. */
public interface EffectPerformer {
    /** Ask the controller; its answer comes back as {@link LeaderReplica#onAgreed} or {@link LeaderReplica#onProposalRefused}. */
    void propose(InSyncReplicasProposal proposal);
}
