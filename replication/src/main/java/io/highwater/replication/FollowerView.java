package io.highwater.replication;

/**
 * A follower as its leader sees it, for people and metrics.
 *
 * @param replicaId its broker
 * @param logStartOffset as it last said, -1 if it has not fetched yet
 * @param logEndOffset as it last said, -1 if it has not fetched yet
 * @param lagMs time since it was last caught up, 0 if it is, -1 if it has not been under this leader
 * @param silentMs time since it last fetched, -1 if it has not
 */
public record FollowerView(int replicaId, long logStartOffset, long logEndOffset, long lagMs, long silentMs) {}
