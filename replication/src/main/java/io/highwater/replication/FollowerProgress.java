package io.highwater.replication;

/** How far one follower has come, as its fetches tell the leader. Owned by a {@link LeaderReplica}. */
final class FollowerProgress {
    static final long UNKNOWN = -1;

    private final int replicaId;

    /** Kept equal to membership in the leader's maximal set, so that the high watermark needs no set lookup. */
    private boolean inMaximalSet;

    private long logStartOffset = UNKNOWN;
    private long logEndOffset = UNKNOWN;
    private long brokerEpoch = UNKNOWN;
    private long leaderEndAtPreviousFetch = UNKNOWN;
    private long previousFetchAtMs;
    private long caughtUpAtMs;

    FollowerProgress(int replicaId) {
        this.replicaId = replicaId;
    }

    /** A follower under a leader that was not leading before: nothing it said to others counts. */
    void startUnderNewLeader(boolean inSync, long nowMs) {
        logStartOffset = UNKNOWN;
        logEndOffset = UNKNOWN;
        leaderEndAtPreviousFetch = UNKNOWN;
        previousFetchAtMs = 0;
        caughtUpAtMs = inSync ? nowMs : 0;
    }

    /** A follower whose leader stays in a new epoch: its offsets stand, the clock starts again. */
    void startNewEpoch(boolean inSync, long leaderEnd, long nowMs) {
        leaderEndAtPreviousFetch = leaderEnd;
        previousFetchAtMs = inSync ? nowMs : 0;
        caughtUpAtMs = inSync ? nowMs : 0;
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
    }

    void setInMaximalSet(boolean inMaximalSet) {
        this.inMaximalSet = inMaximalSet;
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

    boolean isCaughtUp(long leaderEnd, long nowMs, long maxLagMs) {
        return logEndOffset == leaderEnd || nowMs - caughtUpAtMs <= maxLagMs;
    }

    FollowerView view(long leaderEnd, long nowMs) {
        long lagMs = logEndOffset == leaderEnd ? 0 : nowMs - caughtUpAtMs;
        return new FollowerView(replicaId, logStartOffset, logEndOffset, lagMs);
    }
}
