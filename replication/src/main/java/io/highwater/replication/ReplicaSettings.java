package io.highwater.replication;

/**
 * What a leader is told by configuration.
 *
 * @param minInSyncReplicas of the topic; a partition with fewer assigned replicas demands only all of them
 * @param maxLagMs how long ago a follower may last have been caught up and still count as in sync
 * @param disconnectGraceMs how long a follower whose connection broke has to fetch again before the leader asks to go on
 *     without it, see {@link LeaderReplica#onFollowerDisconnected}; negative: as long as any other ({@code
 *     highwater.isr.disconnect.grace.ms})
 */
public record ReplicaSettings(int minInSyncReplicas, long maxLagMs, long disconnectGraceMs) {
    /** Long enough for a lost connection to be made again, short enough that a write does not wait a second for the dead. */
    public static final long DEFAULT_DISCONNECT_GRACE_MS = 500;

    /** Larger values mean the same as the lag limit. */
    private static final long MAX_GRACE_MS = 1L << 32;

    /** Bounds the grace, so that doubling it cannot overflow. */
    public ReplicaSettings {
        disconnectGraceMs = Math.min(disconnectGraceMs, MAX_GRACE_MS);
    }

    /** Kafka's rules alone: a dead follower counts until it lags or is fenced. */
    public ReplicaSettings(int minInSyncReplicas, long maxLagMs) {
        this(minInSyncReplicas, maxLagMs, -1);
    }

    boolean givesUpEarly() {
        return disconnectGraceMs >= 0;
    }
}
