package io.highwater.broker.partition;

import io.highwater.broker.metrics.ReplicaSample;
import io.highwater.broker.metrics.ReplicaSample.Follower;
import io.highwater.broker.metrics.ReplicaSample.Leadership;
import io.highwater.replication.FollowerView;
import io.highwater.replication.LeaderReplica;
import io.highwater.storage.log.PartitionLog;
import java.util.ArrayList;
import java.util.List;

/** Looks at a replica for those who watch. Under the partition's lock, and short: tens of thousands are looked at in a row. */
final class Sampling {
    private Sampling() {}

    static ReplicaSample of(
            PartitionLog log, PartitionRole role, Assignment assignment, long behindRecords, long nowMs) {
        RoleView view = role.view();
        LeaderReplica leader = role.leader();
        return new ReplicaSample(
                log.topicPartition().topic(),
                log.topicPartition().partition(),
                leader != null,
                view.leaderId(),
                view.leaderEpoch(),
                log.logStartOffset(),
                role.lastStableOffset(),
                role.highWatermark(),
                log.logEndOffset(),
                log.sizeBytes(),
                retentionPercent(log),
                log.segmentCount(),
                log.producerCount(),
                leader != null ? -1 : behindRecords,
                leader == null
                        ? Leadership.NONE
                        : new Leadership(
                                leader.replicas(),
                                assignment.adding().size(),
                                assignment.reassigning(),
                                leader.inSyncReplicas().size(),
                                leader.minInSyncReplicas(),
                                view.leaderId() == assignment.preferredLeader(),
                                followers(leader.followers(nowMs), log.logEndOffset())));
    }

    private static int retentionPercent(PartitionLog log) {
        long limitBytes = log.settings().retention().bytes();
        return limitBytes <= 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, log.sizeBytes() * 100.0 / limitBytes);
    }

    private static List<Follower> followers(List<FollowerView> views, long logEndOffset) {
        List<Follower> followers = new ArrayList<>(views.size());
        for (FollowerView each : views) {
            long lagRecords = each.logEndOffset() < 0 ? -1 : Math.max(0, logEndOffset - each.logEndOffset());
            followers.add(new Follower(each.replicaId(), lagRecords, each.lagMs()));
        }
        return followers;
    }
}
