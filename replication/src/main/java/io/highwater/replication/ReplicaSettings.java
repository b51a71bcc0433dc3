package io.highwater.replication;

/**
 * What a leader is told by configuration.
 *
 * @param minInSyncReplicas of the topic; a partition with fewer assigned replicas demands only all of them
 * @param maxLagMs how long ago a follower may last have been caught up and still count as in sync
 */
public record ReplicaSettings(int minInSyncReplicas, long maxLagMs) {}
