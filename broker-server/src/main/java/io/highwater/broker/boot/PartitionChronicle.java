package io.highwater.broker.boot;

import io.highwater.broker.group.GroupFeed;
import io.highwater.broker.journal.IsrHistory;
import io.highwater.broker.journal.IsrSentences;
import io.highwater.broker.journal.Journal;
import io.highwater.broker.journal.JournalEntry.Kind;
import io.highwater.broker.metrics.ReplicaMetrics;
import io.highwater.broker.partition.PartitionEvents;
import io.highwater.controlplane.InSyncReplicasAnswer;
import io.highwater.replication.FollowerStep;
import io.highwater.replication.InSyncReplicasProposal;
import io.highwater.replication.InSyncReplicasProposal.Cause;
import io.highwater.replication.ReplicaSettings;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what becomes of partitions, in the journal and in the log, and tells those who must hear of it. What is ordinary in great numbers,
 * such as the roles after a start, is in the log at DEBUG only. Any thread.
 */
final class PartitionChronicle implements PartitionEvents {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionChronicle.class);

    private final Journal journal;
    private final IsrHistory isrHistory;
    private final ReplicaMetrics metrics;
    private volatile @Nullable GroupFeed groups;

    PartitionChronicle(Journal journal, IsrHistory isrHistory, ReplicaMetrics metrics) {
        this.journal = journal;
        this.isrHistory = isrHistory;
        this.metrics = metrics;
    }

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
        String text =
                "Leading in epoch " + leaderEpoch + ", log end " + logEndOffset + ", high watermark " + highWatermark;
        metrics.ledAnew();
        journal.add(Kind.LEADING, partition, leaderEpoch, text);
        LOG.debug("[{}] {}", partition, text);
        tellGroups(feed -> feed.onLeading(partition, leaderEpoch));
    }

    @Override
    public void onFollowing(TopicPartition partition, int leaderId, int leaderEpoch, long logEndOffset) {
        String text = (leaderId < 0 ? "No leader" : "Following broker " + leaderId) + " in epoch " + leaderEpoch
                + ", log end " + logEndOffset;
        journal.add(Kind.FOLLOWING, partition, leaderEpoch, text);
        LOG.debug("[{}] {}", partition, text);
        tellGroups(feed -> feed.onFollowing(partition, leaderEpoch));
    }

    @Override
    public void onRolesGiven() {
        tellGroups(GroupFeed::onRolesGiven);
    }

    @Override
    public void onProposed(TopicPartition partition, InSyncReplicasProposal proposal, ReplicaSettings settings) {
        boolean joins = joins(proposal);
        Kind kind = joins ? Kind.ISR_EXPANDING : Kind.ISR_SHRINKING;
        String text = IsrSentences.wanted(proposal, settings);
        journal.add(kind, partition, proposal.leaderEpoch(), text, leaving(proposal), joining(proposal));
        leaving(proposal).forEach(broker -> isrHistory.onAsked(partition, broker, text));
        LOG.info("[{}] {}", partition, text);
    }

    @Override
    public void onAnswered(
            TopicPartition partition,
            InSyncReplicasProposal proposal,
            InSyncReplicasAnswer answer,
            ReplicaSettings settings) {
        boolean agreed = answer.error() == Errors.NONE;
        String text = agreed
                ? IsrSentences.agreed(answer.partitionEpoch(), answer.inSyncReplicas(), settings)
                : IsrSentences.refused(proposal, answer.error());
        journal.add(
                agreed ? Kind.ISR_UPDATED : Kind.ISR_REFUSED,
                partition,
                proposal.leaderEpoch(),
                text,
                leaving(proposal),
                joining(proposal));
        if (!agreed) {
            leaving(proposal).forEach(broker -> isrHistory.onRefused(partition, broker));
        }
        LOG.info("[{}] {}", partition, text);
        if (agreed) {
            count(proposal.cause());
        } else {
            metrics.updateFailed();
        }
    }

    private void count(Cause cause) {
        switch (cause) {
            case LAGGING -> metrics.shrunkByLag();
            case DISCONNECTED -> metrics.shrunkByDisconnection();
            case CAUGHT_UP -> metrics.expanded();
        }
    }

    private static boolean joins(InSyncReplicasProposal proposal) {
        return proposal.cause() == Cause.CAUGHT_UP;
    }

    private static List<Integer> joining(InSyncReplicasProposal proposal) {
        return joins(proposal) ? proposal.replicas() : List.of();
    }

    private static List<Integer> leaving(InSyncReplicasProposal proposal) {
        return joins(proposal) ? List.of() : proposal.replicas();
    }

    @Override
    public void onCut(TopicPartition partition, int leaderId, FollowerStep step, long from, String cause) {
        boolean restart = step.kind() == FollowerStep.Kind.RESTART;
        String text = (restart ? "Dropped its log and starts anew at" : "Truncated its log to") + " offset "
                + step.offset() + " (it had ended at " + from + "), following broker " + leaderId + ": " + cause;
        journal.add(restart ? Kind.RESTARTED : Kind.TRUNCATED, partition, -1, text);
        LOG.info("[{}] {}", partition, text);
    }

    @Override
    public void onFenced(TopicPartition partition, int leaderId, int leaderEpoch) {
        String text =
                "Broker " + leaderId + " says that epoch " + leaderEpoch + " is over; it waits for the controller";
        journal.add(Kind.FENCED, partition, leaderEpoch, text);
        LOG.info("[{}] {}", partition, text);
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
        String text = "Cannot be written" + (offline ? "; it is given up" : "");
        journal.add(Kind.STORAGE_FAILED, partition, -1, text + ": " + cause);
        if (!offline) {
            LOG.error("[{}] {}: {}", partition, text, cause.toString()); // again and again, as on a full disk
        } else {
            LOG.error("[{}] {}", partition, text, cause);
            tellGroups(feed -> feed.onRemoved(partition));
        }
    }

    @Override
    public void onRemoved(TopicPartition partition) {
        journal.add(Kind.REMOVED, partition, -1, "Gone from this broker");
        LOG.debug("[{}] is gone", partition);
        tellGroups(feed -> feed.onRemoved(partition));
    }
}
