package io.highwater.replication;

import java.util.List;

/**
 * A partition's state as the controller has published it, seen by the replica that leads.
 *
 * @param leaderEpoch reign of this leader
 * @param partitionEpoch version of the agreed in-sync replicas
 * @param assignedReplicas where the partition should live, this replica included
 * @param inSyncReplicas the agreed set, this replica included
 */
public record Leadership(
        int leaderEpoch, int partitionEpoch, List<Integer> assignedReplicas, List<Integer> inSyncReplicas) {
    /** Copies the lists. */
    public Leadership {
        assignedReplicas = List.copyOf(assignedReplicas);
        inSyncReplicas = List.copyOf(inSyncReplicas);
    }
}
