package io.highwater.replication.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * What the controller has decided about the partition.
 *
 * @param leader -1 if nobody can
 * @param leaderEpoch rises with every change of the leader
 * @param partitionEpoch rises with every change
 * @param replicas where the partition lives, the preferred leader first
 * @param inSync the agreed in-sync replicas; may be empty
 * @param eligible left the in-sync replicas while nothing could be committed: may lead as well (KIP-966)
 * @param lastLeader who led last, if nobody can now; -1 otherwise
 * @param unclean whether this leader was chosen although it may lack committed records
 */
record PartitionState(
        int leader,
        int leaderEpoch,
        int partitionEpoch,
        List<Integer> replicas,
        List<Integer> inSync,
        List<Integer> eligible,
        int lastLeader,
        boolean unclean) {

    /**
     * The state after some change of the in-sync replicas and a look for the best leader. Equal to this one if nothing changes.
     *
     * @param wanted the in-sync replicas from now on
     * @param crashed members that have come back from an unclean stop: no longer eligible
     * @param alive who may lead
     * @param preferFirst whether the first replica is to lead if it can, or the present leader stays if it can
     */
    PartitionState changed(
            List<Integer> wanted,
            Set<Integer> crashed,
            IntPredicate alive,
            int minInSync,
            boolean uncleanAllowed,
            boolean preferFirst) {
        List<Integer> newInSync = List.copyOf(wanted);
        List<Integer> newEligible = new ArrayList<>();
        if (newInSync.size() < minInSync) {
            for (int replica : replicas) {
                boolean was = eligible.contains(replica) || inSync.contains(replica);
                if (was && !newInSync.contains(replica) && !crashed.contains(replica)) {
                    newEligible.add(replica);
                }
            }
        }
        IntPredicate valid =
                id -> alive.test(id) && (newInSync.isEmpty() ? newEligible.contains(id) : newInSync.contains(id));
        int elected = preferFirst && valid.test(replicas.get(0)) ? replicas.get(0) : clean(valid);
        if (elected != -1 && (elected == leader || !newEligible.contains(elected))) {
            return next(elected, newInSync, newEligible, elected == leader && unclean);
        }
        if (elected != -1) {
            newEligible.remove((Integer) elected);
            return next(elected, List.of(elected), newEligible, false);
        }
        if (newInSync.isEmpty() && newEligible.isEmpty() && lastLeader != -1 && alive.test(lastLeader)) {
            return next(lastLeader, List.of(lastLeader), List.of(), false);
        }
        for (int replica : replicas) {
            if (uncleanAllowed && alive.test(replica)) {
                return next(replica, List.of(replica), List.of(), true);
            }
        }
        return next(-1, newInSync, newEligible, false);
    }

    private int clean(IntPredicate valid) {
        if (leader != -1 && valid.test(leader)) {
            return leader;
        }
        for (int replica : replicas) {
            if (valid.test(replica)) {
                return replica;
            }
        }
        return -1;
    }

    private PartitionState next(int newLeader, List<Integer> newInSync, List<Integer> newEligible, boolean newUnclean) {
        boolean moved = newLeader != leader;
        int newLast = newLeader != -1 ? -1 : lastLeader != -1 ? lastLeader : leader;
        boolean same = !moved && newInSync.equals(inSync) && newEligible.equals(eligible) && newLast == lastLeader;
        return same
                ? this
                : new PartitionState(
                        newLeader,
                        moved ? leaderEpoch + 1 : leaderEpoch,
                        partitionEpoch + 1,
                        replicas,
                        newInSync,
                        List.copyOf(newEligible),
                        newLast,
                        newUnclean);
    }

    @Override
    public String toString() {
        return "leader " + (leader == -1 ? "none" : leader) + " in epoch " + leaderEpoch + ", in sync " + inSync
                + (eligible.isEmpty() ? "" : ", eligible " + eligible)
                + (lastLeader == -1 ? "" : ", last led by " + lastLeader)
                + (unclean ? ", unclean" : "");
    }
}
