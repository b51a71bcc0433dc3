package io.highwater.replication;

/** Leaders with one rule broken on purpose, for the simulation to find out. */
public enum BrokenLeaders {
    /** Commits without regard for those who are about to join, proposed or not. */
    COUNTS_ONLY_THE_AGREED(new LeaderRules() {
        @Override
        boolean waitsFor(FollowerProgress follower, LeaderReplica leader, long nowMs) {
            return leader.inSyncReplicas().contains(follower.replicaId());
        }
    }),
    /** As before KIP-966: commits with fewer copies than the topic demands. */
    COMMITS_BELOW_THE_MINIMUM(new LeaderRules() {
        @Override
        boolean mayCommit(int inSyncReplicas, int minInSyncReplicas) {
            return true;
        }
    }),
    /** As before KIP-903: a joiner may have crashed since it was seen to be in sync. */
    VOUCHES_FOR_ANY_LIFE(new LeaderRules() {
        @Override
        long vouchedEpoch(FollowerProgress follower) {
            return FollowerProgress.UNKNOWN;
        }
    }),
    /** Lets a follower join that holds what this leader has committed, but not what those before it may have. */
    FORGETS_WHERE_ITS_REIGN_BEGAN(new LeaderRules() {
        @Override
        boolean mayJoin(long followerEnd, long highWatermark, long epochStartOffset) {
            return followerEnd >= highWatermark;
        }
    }),
    /** Lets anybody join who fetches. */
    LETS_LAGGARDS_JOIN(new LeaderRules() {
        @Override
        boolean mayJoin(long followerEnd, long highWatermark, long epochStartOffset) {
            return true;
        }
    }),
    /** As Kafka: forgets a proposal when metadata repeats what an answer has told before it was made. */
    FORGETS_A_PROPOSAL_OVER_OLD_NEWS(new LeaderRules() {
        @Override
        boolean isNews(Leadership leadership, int leaderEpoch, int partitionEpoch) {
            return true;
        }
    }),
    /** As Kafka 4.4: counts an in-sync replica that is back before the news that it had crashed. */
    COUNTS_UNKNOWN_LIVES(new LeaderRules() {
        @Override
        boolean isKnownLife(FollowerProgress follower, Membership membership) {
            return true;
        }
    });

    @SuppressWarnings("ImmutableEnumChecker") // rules have no fields
    private final LeaderRules rules;

    BrokenLeaders(LeaderRules rules) {
        this.rules = rules;
    }

    /** A new leader of this kind. */
    public LeaderReplica lead(
            int id, Leadership leadership, Membership membership, ReplicaSettings settings, LogBounds log, long nowMs) {
        return new LeaderReplica(id, leadership, membership, settings, log, nowMs, rules);
    }
}
