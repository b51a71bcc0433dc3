package io.highwater.broker.partition;

import io.highwater.controlplane.InSyncReplicasAnswer;
import io.highwater.replication.FollowerStep;
import io.highwater.replication.InSyncReplicasProposal;
import io.highwater.replication.ReplicaSettings;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;

/**
 * What partitions decide and suffer, each with its cause and its numbers. A log line, a metric and the live view are three
 * renderings of it. Called without a partition's lock, from any thread; must be quick.
 */
public interface PartitionEvents {
    /** This replica leads from now on. */
    default void onLeading(TopicPartition partition, int leaderEpoch, long logEndOffset, long highWatermark) {}

    /** This replica follows from now on; {@code leaderId} is -1 if there is nobody to follow. */
    default void onFollowing(TopicPartition partition, int leaderId, int leaderEpoch, long logEndOffset) {}

    /** Every replica that an image concerns has its role, or could not be had: what was told of leading and following since is complete. */
    default void onRolesGiven() {}

    /** This leader, which is told {@code settings}, asks for other in-sync replicas. */
    default void onProposed(TopicPartition partition, InSyncReplicasProposal proposal, ReplicaSettings settings) {}

    /** The controller has answered: agreed to what the answer says, or refused with its error. */
    default void onAnswered(
            TopicPartition partition,
            InSyncReplicasProposal proposal,
            InSyncReplicasAnswer answer,
            ReplicaSettings settings) {}

    /**
     * This follower has cut its log, which had ended at {@code from}: truncated it, or dropped all of it to start elsewhere.
     *
     * @param cause what the leader said
     */
    default void onCut(TopicPartition partition, int leaderId, FollowerStep step, long from, String cause) {}

    /** The leader says that {@code leaderEpoch} is over; this follower waits for the controller. */
    default void onFenced(TopicPartition partition, int leaderId, int leaderEpoch) {}

    /** What the leader sent could not be appended; it will be asked again. */
    default void onFetchUnusable(
            TopicPartition partition, int leaderId, long fetchOffset, Errors error, String message) {}

    /** Records can not be written: the disk is full, or worse; {@code offline} says whether the partition is given up. */
    default void onStorageFailure(TopicPartition partition, Throwable cause, boolean offline) {}

    /** This replica is gone from this broker. */
    default void onRemoved(TopicPartition partition) {}
}
