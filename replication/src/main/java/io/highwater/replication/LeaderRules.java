package io.highwater.replication;

/**
 * The rules that make a commit final, one method each. They stand apart so that a test can break one at a time and see
 * the simulation go red; there is no other set of them.
 */
class LeaderRules {
    static final LeaderRules KAFKA = new LeaderRules();

    /** Nothing is committed while fewer replicas are in sync than the topic demands, whatever the producers' acks. */
    boolean mayCommit(int inSyncReplicas, int minInSyncReplicas) {
        return inSyncReplicas >= minInSyncReplicas;
    }

    /**
     * Whom the high watermark waits for: everybody who is in sync or has been proposed to be, and, to keep it from running ahead
     * of a replica that would then never reach it, whoever is about to join.
     */
    boolean waitsFor(FollowerProgress follower, LeaderReplica leader, long nowMs) {
        return follower.inMaximalSet() || leader.isAboutToJoin(follower, nowMs);
    }

    /**
     * Whether what an in-sync replica holds counts. Not if it fetches under a registration that is news to this leader: it may
     * have crashed and been taken off the in-sync replicas, in which case the controller would not have it lead however much it
     * holds. Metadata will tell. (Kafka counts it, and can lose what was committed so.)
     */
    boolean isKnownLife(FollowerProgress follower, Membership membership) {
        return follower.isKnownLife(membership);
    }

    /** A follower joins once it holds all that is committed, by this leader or, unknown to it, by those before. */
    boolean mayJoin(long followerEnd, long highWatermark, long epochStartOffset) {
        return followerEnd >= highWatermark && followerEnd >= epochStartOffset;
    }

    /** It joins as the registration that was seen to be in sync, not as what it may be after a crash in between. */
    long vouchedEpoch(FollowerProgress follower) {
        return follower.brokerEpoch();
    }

    /** Whether metadata says something that this leader has not been told in an answer to a proposal. */
    boolean isNews(Leadership leadership, int leaderEpoch, int partitionEpoch) {
        return leadership.leaderEpoch() > leaderEpoch || leadership.partitionEpoch() > partitionEpoch;
    }
}
