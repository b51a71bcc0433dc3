package io.highwater.replication;

/**
 * Whether one follower is to be given up before its time because the connection it fetched on is gone. A dead process is told
 * apart from a shaky line by patience alone: some grace first, and twice as much after each time that it was given up and came
 * back. Owned by a {@link FollowerProgress}.
 */
final class Suspicion {
    static final long NEVER = Long.MAX_VALUE;

    /** In units of the lag limit: so long without being given up, and what was is forgotten. */
    static final int FORGIVEN_AFTER_LAGS = 10;

    /** More doublings than any grace needs to reach the lag limit. */
    private static final int MAX_DOUBLINGS = 30;

    private long sinceMs = NEVER;
    private int timesGivenUp;
    private long givenUpAtMs;

    void onDisconnected(long nowMs) {
        if (sinceMs == NEVER) {
            sinceMs = nowMs;
        }
    }

    void onFetch() {
        sinceMs = NEVER;
    }

    /** The controller may refuse: then there is another, longer grace and not another request at once. */
    void onGivenUp(long nowMs, ReplicaSettings settings) {
        timesGivenUp = isForgiven(settings) ? 1 : Math.min(timesGivenUp + 1, MAX_DOUBLINGS);
        sinceMs = nowMs;
        givenUpAtMs = nowMs;
    }

    boolean isSuspect() {
        return sinceMs != NEVER;
    }

    /** When it may be given up, {@link #NEVER} if it is above suspicion or the rule is off. */
    long dueMs(ReplicaSettings settings) {
        if (sinceMs == NEVER || !settings.givesUpEarly()) {
            return NEVER;
        }
        long grace = settings.disconnectGraceMs() << (isForgiven(settings) ? 0 : timesGivenUp);
        return sinceMs + Math.min(grace, settings.maxLagMs());
    }

    private boolean isForgiven(ReplicaSettings settings) {
        return sinceMs - givenUpAtMs > FORGIVEN_AFTER_LAGS * settings.maxLagMs();
    }
}
