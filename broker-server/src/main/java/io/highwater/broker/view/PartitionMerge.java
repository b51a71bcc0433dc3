package io.highwater.broker.view;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.journal.IsrChange;
import io.highwater.broker.partition.LeaderReport;
import io.highwater.broker.partition.ReplicaReport;
import io.highwater.broker.view.PartitionReport.PendingAlterPartition;
import io.highwater.broker.view.PartitionReport.WaitingProduce;
import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import io.highwater.replication.FollowerView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Makes one report of what the metadata says of a partition, and what the brokers that have it answer. Pure. */
final class PartitionMerge {
    private final PartitionView partition;
    private final int minInsyncReplicas;
    private final ClusterImage image;
    private final Map<Integer, LocalReplica> answers;
    private final IntFunction<@Nullable IsrChange> isrChanges;

    private final @Nullable ReplicaReport leader;
    private final @Nullable LeaderReport asLeader;
    private final List<Integer> inSync;

    /**
     * @param minInsyncReplicas as the topic is set, for when its leader does not answer
     * @param answers of the brokers that have a replica; a broker that did not answer is missing
     * @param isrChanges what is known of a broker that was removed from the ISR
     */
    PartitionMerge(
            PartitionView partition,
            int minInsyncReplicas,
            ClusterImage image,
            Map<Integer, LocalReplica> answers,
            IntFunction<@Nullable IsrChange> isrChanges) {
        this.partition = partition;
        this.minInsyncReplicas = minInsyncReplicas;
        this.image = image;
        this.answers = answers;
        this.isrChanges = isrChanges;
        this.leader = report(partition.leader());
        this.asLeader = leader == null ? null : leader.asLeader();
        this.inSync = inSync(partition, asLeader);
    }

    PartitionReport report() {
        LeaderReport leads = asLeader;
        List<ReplicaState> replicas = new ArrayList<>();
        for (int broker : partition.replicas()) {
            replicas.add(replica(broker));
        }
        return new PartitionReport(
                partition.topic(),
                partition.index(),
                partition.leader(),
                partition.leaderEpoch(),
                leads == null
                        ? partition.partitionEpoch()
                        : Math.max(leads.partitionEpoch(), partition.partitionEpoch()),
                leads == null ? minInsyncReplicas : leads.minInSync(),
                inSync,
                sorted(partition.eligibleLeaderReplicas()),
                sorted(partition.lastKnownElr()),
                partition.replicas(),
                leader == null ? -1 : leader.logStart(),
                leader == null ? -1 : leader.highWatermark(),
                leader == null ? -1 : leader.lastStableOffset(),
                leader == null ? -1 : leader.logEnd(),
                replicas,
                leads == null ? null : pending(leads),
                leads == null ? List.of() : waiting(leads),
                error());
    }

    /** The leader knows first what the controller has agreed to; metadata may also be ahead of it. */
    private static List<Integer> inSync(PartitionView partition, @Nullable LeaderReport leads) {
        return leads != null && leads.partitionEpoch() >= partition.partitionEpoch()
                ? leads.inSync()
                : sorted(partition.inSyncReplicas());
    }

    private ReplicaState replica(int broker) {
        ReplicaReport own = report(broker);
        FollowerView seen = follower(broker);
        boolean leads = broker == partition.leader();
        boolean isInSync = inSync.contains(broker);
        long logEnd = own != null ? own.logEnd() : seen == null ? -1 : seen.logEndOffset();
        long lagRecords = leads ? 0 : leader == null || logEnd < 0 ? -1 : Math.max(0, leader.logEnd() - logEnd);
        long lagMs = leads ? 0 : seen == null ? -1 : seen.lagMs();
        return new ReplicaState(
                broker,
                leads,
                own != null,
                own != null ? own.logStart() : seen == null ? -1 : seen.logStartOffset(),
                own != null ? own.highWatermark() : -1,
                logEnd,
                isInSync,
                lagRecords,
                lagMs,
                leads ? 0 : seen == null ? -1 : seen.lagMs() == 0 ? seen.silentMs() : seen.lagMs(),
                leads || seen == null ? -1 : seen.silentMs(),
                isInSync ? null : reason(broker, own, seen, lagRecords));
    }

    /** What once put it out, and what keeps it out now. */
    private String reason(int broker, @Nullable ReplicaReport own, @Nullable FollowerView seen, long lagRecords) {
        IsrChange change = isrChanges.apply(broker);
        String removal = change == null || change.outSinceWallMs() == null ? null : change.lastReason();
        String present = present(broker, own, seen, lagRecords);
        if (removal == null) {
            return present;
        }
        return removal.endsWith(present) ? removal : removal + "; now: " + present;
    }

    private String present(int broker, @Nullable ReplicaReport own, @Nullable FollowerView seen, long lagRecords) {
        BrokerView registered = image.broker(broker);
        LocalReplica answer = answers.get(broker);
        if (registered == null) {
            return "broker " + broker + " is not registered";
        }
        if (registered.fenced()) {
            return "the controller has fenced broker " + broker;
        }
        if (answer != null && own == null) {
            return "broker " + broker + " has no replica that works: " + answer.error();
        }
        if (partition.leader() == PartitionView.NO_LEADER) {
            return "there is no leader to catch up with";
        }
        if (registered.inControlledShutdown()) {
            return "broker " + broker + " is shutting down";
        }
        if (seen == null) {
            return "broker " + partition.leader() + ", which leads, does not say how far it is";
        }
        if (seen.silentMs() < 0) {
            return "it has not asked its leader for records yet";
        }
        if (seen.silentMs() >= Ages.SILENT_MS) {
            return "it has not asked its leader for records lately";
        }
        if (answer == null && registered.endpoints().containsKey(BrokerConfig.HTTP_LISTENER)) {
            return "it does not answer";
        }
        return lagRecords > 0
                ? "it lags by " + lagRecords + (lagRecords == 1 ? " record" : " records")
                : "it has caught up and is to be taken in";
    }

    private @Nullable String error() {
        int id = partition.leader();
        if (id == PartitionView.NO_LEADER) {
            return "there is no leader"
                    + (partition.eligibleLeaderReplicas().isEmpty()
                            ? ": none of the last in-sync replicas " + sorted(partition.inSyncReplicas()) + " is alive"
                            : "; eligible are " + sorted(partition.eligibleLeaderReplicas()));
        }
        if (asLeader != null) {
            return null;
        }
        LocalReplica answer = answers.get(id);
        if (answer == null) {
            return "broker " + id + ", which leads, does not answer";
        }
        return "broker " + id + " does not lead, or not yet" + (answer.error() == null ? "" : ": " + answer.error());
    }

    private static @Nullable PendingAlterPartition pending(LeaderReport leads) {
        LeaderReport.Pending pending = leads.pending();
        return pending == null ? null : new PendingAlterPartition(pending.inSync(), pending.ageMs());
    }

    private static List<WaitingProduce> waiting(LeaderReport leads) {
        if (leads.waiting().isEmpty()) {
            return List.of();
        }
        return leads.waiting().stream()
                .map(write -> new WaitingProduce(
                        write.baseOffset(), write.requiredOffset(), write.ageMs(), write.waitsFor(), -1))
                .toList();
    }

    private @Nullable ReplicaReport report(int broker) {
        LocalReplica answer = answers.get(broker);
        return answer == null ? null : answer.report();
    }

    private @Nullable FollowerView follower(int broker) {
        if (asLeader == null) {
            return null;
        }
        for (FollowerView follower : asLeader.followers()) {
            if (follower.replicaId() == broker) {
                return follower;
            }
        }
        return null;
    }

    private static List<Integer> sorted(List<Integer> ids) {
        return ids.size() < 2 ? ids : ids.stream().sorted().toList();
    }
}
