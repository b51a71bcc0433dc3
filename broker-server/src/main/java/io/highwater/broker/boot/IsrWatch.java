package io.highwater.broker.boot;

import io.highwater.broker.journal.IsrHistory;
import io.highwater.broker.journal.IsrSentences;
import io.highwater.broker.journal.Journal;
import io.highwater.broker.journal.JournalEntry.Kind;
import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.ImageChange;
import io.highwater.controlplane.ImageListener;
import io.highwater.controlplane.PartitionChange;
import io.highwater.controlplane.PartitionView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the in-sync replicas of all partitions through the metadata. What a leader has not asked for, because the controller decided it by
 * itself, is an event here, with the cause that the metadata shows. Metadata loader's thread.
 */
final class IsrWatch implements ImageListener {
    private static final Logger LOG = LoggerFactory.getLogger(IsrWatch.class);

    private final int nodeId;
    private final Journal journal;
    private final IsrHistory history;

    IsrWatch(int nodeId, Journal journal, IsrHistory history) {
        this.nodeId = nodeId;
        this.journal = journal;
        this.history = history;
    }

    @Override
    public void onChange(ImageChange change) {
        change.deletedTopics().forEach(topic -> history.forget(topic.name()));
        for (PartitionChange changed : change.changedPartitions()) {
            PartitionView before = changed.before();
            if (before != null
                    && !before.inSyncReplicas().equals(changed.after().inSyncReplicas())) {
                onChange(before, changed.after(), change.after());
            }
        }
    }

    private void onChange(PartitionView before, PartitionView after, ClusterImage image) {
        List<Integer> added = without(after.inSyncReplicas(), before.inSyncReplicas());
        List<Integer> removed = without(before.inSyncReplicas(), after.inSyncReplicas());
        added.forEach(id -> history.onAdded(after.topicPartition(), id));
        boolean byTheController = before.leader() != after.leader();
        List<String> causes = new ArrayList<>();
        for (int id : removed) {
            String cause = cause(id, after, image);
            byTheController |= cause != null;
            String reason = cause != null
                    ? cause
                    : "broker " + before.leader() + ", which leads, asked to go on without broker " + id;
            causes.add(reason);
            history.onRemoved(after.topicPartition(), id, reason);
        }
        // What the leader asked for it tells itself, when the controller has agreed.
        if (byTheController && after.leader() == nodeId && !(removed.isEmpty() && added.isEmpty())) {
            String text = "The controller changed the ISR from " + IsrSentences.list(before.inSyncReplicas()) + " to "
                    + IsrSentences.list(after.inSyncReplicas()) + ", partition epoch " + after.partitionEpoch()
                    + (causes.isEmpty() ? "" : ": " + String.join("; ", causes));
            journal.add(Kind.ISR_UPDATED, after.topicPartition(), after.leaderEpoch(), text, removed, added);
            LOG.info("[{}] {}", after.topicPartition(), text);
        }
    }

    /** Why the controller has removed it; null if it need not have. */
    private static @Nullable String cause(int id, PartitionView after, ClusterImage image) {
        BrokerView broker = image.broker(id);
        if (broker == null) {
            return "broker " + id + " is not registered any more";
        }
        if (broker.fenced()) {
            return "the controller has fenced broker " + id;
        }
        if (broker.inControlledShutdown()) {
            return "broker " + id + " is shutting down";
        }
        return after.assignedTo(id) ? null : "broker " + id + " is not assigned to it any more";
    }

    private static List<Integer> without(List<Integer> all, List<Integer> some) {
        return all.stream().filter(id -> !some.contains(id)).sorted().toList();
    }
}
