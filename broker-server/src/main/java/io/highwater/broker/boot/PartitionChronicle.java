package io.highwater.broker.boot;

import io.highwater.broker.group.GroupFeed;
import io.highwater.broker.partition.PartitionEvents;
import io.highwater.controlplane.InSyncReplicasAnswer;
import io.highwater.replication.FollowerStep;
import io.highwater.replication.InSyncReplicasProposal;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes down what becomes of partitions, and tells those who must hear of it. Any thread. */
final class PartitionChronicle implements PartitionEvents {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionChronicle.class);

    private volatile @Nullable GroupFeed groups;

    /** From now on {@code feed} hears of roles: groups need partitions to be built, and partitions this. Before the first image. */
    void tell(GroupFeed feed) {
        groups = feed;
    }

    private void tellGroups(Consumer<GroupFeed> what) {
        GroupFeed feed = groups;
        if (feed != null) {
            what.accept(feed);
        }
    }

    @Override
    public void onLeading(TopicPartition partition, int leaderEpoch, long logEndOffset, long highWatermark) {
        LOG.debug(
                "{} leads in epoch {}, log end {}, high watermark {}",
                partition,
                leaderEpoch,
                logEndOffset,
                highWatermark);
        tellGroups(feed -> feed.onLeading(partition, leaderEpoch));
    }

    @Override
    public void onFollowing(TopicPartition partition, int leaderId, int leaderEpoch, long logEndOffset) {
        LOG.debug("{} follows broker {} in epoch {}, log end {}", partition, leaderId, leaderEpoch, logEndOffset);
        tellGroups(feed -> feed.onFollowing(partition, leaderEpoch));
    }

    @Override
    public void onRolesGiven() {
        tellGroups(GroupFeed::onRolesGiven);
    }

    @Override
    public void onProposed(TopicPartition partition, InSyncReplicasProposal proposal) {
        LOG.info(
                "{} asks for the in-sync replicas {}: {} {}",
                partition,
                proposal.members(),
                proposal.replicas(),
                proposal.cause());
    }

    @Override
    public void onAnswered(TopicPartition partition, InSyncReplicasProposal proposal, InSyncReplicasAnswer answer) {
        LOG.info(
                "{} was answered {}: in-sync replicas {}, partition epoch {}",
                partition,
                answer.error(),
                answer.inSyncReplicas(),
                answer.partitionEpoch());
    }

    @Override
    public void onCut(TopicPartition partition, int leaderId, FollowerStep step, long from, String cause) {
        LOG.info(
                "{} {} offset {} (it had ended at {}), following broker {}: {}",
                partition,
                step.kind() == FollowerStep.Kind.RESTART
                        ? "has dropped its log and starts anew at"
                        : "has truncated its log to",
                step.offset(),
                from,
                leaderId,
                cause);
    }

    @Override
    public void onFenced(TopicPartition partition, int leaderId, int leaderEpoch) {
        LOG.info(
                "{} hears from broker {} that epoch {} is over; it waits for the controller",
                partition,
                leaderId,
                leaderEpoch);
    }

    @Override
    public void onFetchUnusable(
            TopicPartition partition, int leaderId, long fetchOffset, Errors error, String message) {
        LOG.error(
                "{} could not append what broker {} has from offset {} on: {} ({}); it asks again",
                partition,
                leaderId,
                fetchOffset,
                error,
                message);
    }

    @Override
    public void onStorageFailure(TopicPartition partition, Throwable cause, boolean offline) {
        LOG.error("{} cannot be written{}", partition, offline ? "; it is given up" : "", cause);
        if (offline) {
            tellGroups(feed -> feed.onRemoved(partition));
        }
    }

    @Override
    public void onRemoved(TopicPartition partition) {
        LOG.debug("{} is gone", partition);
        tellGroups(feed -> feed.onRemoved(partition));
    }
}
