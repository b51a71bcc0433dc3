package io.highwater.replication;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The followers of one leader, in the order of the assignment. Few: a look at all of them is cheaper than a map. */
final class Followers {
    private FollowerProgress[] all = {};

    /** Keeps those that stay assigned as they are; {@code localId} is the leader itself. */
    void track(List<Integer> assignedReplicas, int localId) {
        List<FollowerProgress> tracked = new ArrayList<>();
        for (int replicaId : assignedReplicas) {
            if (replicaId != localId) {
                FollowerProgress known = find(replicaId);
                tracked.add(known == null ? new FollowerProgress(replicaId) : known);
            }
        }
        all = tracked.toArray(new FollowerProgress[0]);
    }

    void setMaximal(Set<Integer> replicas) {
        for (FollowerProgress follower : all) {
            follower.setInMaximalSet(replicas.contains(follower.replicaId()));
        }
    }

    /** Not to be changed. */
    FollowerProgress[] all() {
        return all;
    }

    @Nullable
    FollowerProgress find(int replicaId) {
        for (FollowerProgress follower : all) {
            if (follower.replicaId() == replicaId) {
                return follower;
            }
        }
        return null;
    }

    List<FollowerProgress> lagging(Set<Integer> among, long leaderEnd, long nowMs, long maxLagMs) {
        List<FollowerProgress> lagging = new ArrayList<>();
        for (FollowerProgress follower : all) {
            if (among.contains(follower.replicaId()) && !follower.isCaughtUp(leaderEnd, nowMs, maxLagMs)) {
                lagging.add(follower);
            }
        }
        return lagging;
    }

    /** Those whose grace after a broken connection is over. */
    List<FollowerProgress> overdue(Set<Integer> among, long nowMs, ReplicaSettings settings) {
        List<FollowerProgress> overdue = new ArrayList<>();
        for (FollowerProgress follower : all) {
            if (among.contains(follower.replicaId()) && follower.suspicion().dueMs(settings) <= nowMs) {
                overdue.add(follower);
            }
        }
        return overdue;
    }

    long earliestDueMs(Set<Integer> among, ReplicaSettings settings) {
        long earliest = Suspicion.NEVER;
        for (FollowerProgress follower : all) {
            if (among.contains(follower.replicaId())) {
                earliest = Math.min(earliest, follower.suspicion().dueMs(settings));
            }
        }
        return earliest;
    }

    /** How many have lost their connection. */
    int suspects(Set<Integer> among) {
        int suspects = 0;
        for (FollowerProgress follower : all) {
            if (follower.suspicion().isSuspect() && among.contains(follower.replicaId())) {
                suspects++;
            }
        }
        return suspects;
    }

    List<FollowerView> views(long leaderEnd, long nowMs) {
        List<FollowerView> views = new ArrayList<>();
        for (FollowerProgress follower : all) {
            views.add(follower.view(leaderEnd, nowMs));
        }
        return views;
    }
}
