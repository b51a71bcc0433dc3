package io.highwater.replication;

/** How far one follower has come, as its fetches tell the leader. Owned by a {@link LeaderReplica}. */
final class FollowerProgress {
    static final long UNKNOWN = -1;

    /** Longer ago than any limit, by any clock. */
    private static final long LONG_AGO = Long.MIN_VALUE / 4;

    private final int replicaId;

    /** Kept equal to membership in the leader's maximal set, so that the high watermark needs no set lookup. */
    private boolean inMaximalSet;

    private long logStartOffset = UNKNOWN;
    private long logEndOffset = UNKNOWN;
    private long brokerEpoch = UNKNOWN;

    /** The newest of its broker epochs that metadata has been seen to know of. */
    private long knownEpoch = UNKNOWN;

    private long leaderEndAtPreviousFetch = UNKNOWN;
    private long previousFetchAtMs = LONG_AGO;
    private long caughtUpAtMs = LONG_AGO;
    private final Suspicion suspicion = new Suspicion();

    FollowerProgress(int replicaId) {
        this.replicaId = replicaId;
    }

    /** A follower under a leader that was not leading before, of which nothing is known yet. */
    void startUnderNewLeader(boolean inSync, long nowMs) {
        caughtUpAtMs = inSync ? nowMs : LONG_AGO;
    }

    /** A follower whose leader stays in a new epoch: its offsets stand, the clock starts again. */
    void startNewEpoch(boolean inSync, long leaderEnd, long nowMs) {
        leaderEndAtPreviousFetch = leaderEnd;
        previousFetchAtMs = inSync ? nowMs : LONG_AGO;
        caughtUpAtMs = inSync ? nowMs : LONG_AGO;
    }

    void fetchedFrom(long fetchOffset, long followerLogStart, long followerBrokerEpoch, long leaderEnd, long nowMs) {
        if (fetchOffset >= leaderEnd) {
            caughtUpAtMs = Math.max(caughtUpAtMs, nowMs);
        } else if (fetchOffset >= leaderEndAtPreviousFetch) {
            // Under steady appends a follower never sees the very end; having reached what was the end
            // when it last asked is as caught up as anybody can be.
            caughtUpAtMs = Math.max(caughtUpAtMs, previousFetchAtMs);
        }
        logStartOffset = followerLogStart;
        logEndOffset = fetchOffset;
        brokerEpoch = followerBrokerEpoch;
        leaderEndAtPreviousFetch = Math.max(leaderEnd, leaderEndAtPreviousFetch);
        previousFetchAtMs = nowMs;
        suspicion.onFetch();
    }

    void setInMaximalSet(boolean inMaximalSet) {
        this.inMaximalSet = inMaximalSet;
    }

    Suspicion suspicion() {
        return suspicion;
    }

    int replicaId() {
        return replicaId;
    }

    boolean inMaximalSet() {
        return inMaximalSet;
    }

    long logStartOffset() {
        return logStartOffset;
    }

    long logEndOffset() {
        return logEndOffset;
    }

    long brokerEpoch() {
        return brokerEpoch;
    }

    /** False while it fetches under a registration that {@code membership} has not heard of. */
    boolean isKnownLife(Membership membership) {
        if (brokerEpoch <= knownEpoch) {
            return true; // the usual case: no look at the metadata
        }
        long registered = membership.brokerEpoch(replicaId);
        if (registered != UNKNOWN && brokerEpoch > registered) {
            return false;
        }
        knownEpoch = brokerEpoch;
        return true;
    }

    boolean isCaughtUp(long leaderEnd, long nowMs, long maxLagMs) {
        return logEndOffset == leaderEnd || nowMs - caughtUpAtMs <= maxLagMs;
    }

    FollowerView view(long leaderEnd, long nowMs) {
        long lagMs = logEndOffset == leaderEnd ? 0 : ageMs(caughtUpAtMs, nowMs);
        return new FollowerView(replicaId, logStartOffset, logEndOffset, lagMs, ageMs(previousFetchAtMs, nowMs));
    }

    private static long ageMs(long sinceMs, long nowMs) {
        return sinceMs == LONG_AGO ? UNKNOWN : nowMs - sinceMs;
    }
}
