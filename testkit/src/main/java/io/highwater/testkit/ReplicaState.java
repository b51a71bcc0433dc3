package io.highwater.testkit;

import java.util.List;

/**
 * One replica at one moment, read from the memory of the broker that has it.
 *
 * @param brokerId whose it is
 * @param leading whether it leads, as it believes itself
 * @param leaderEpoch the reign it is in, -1 before the first
 * @param logStartOffset first offset kept
 * @param logEndOffset next offset to be written (exclusive)
 * @param highWatermark all below is committed as far as this replica knows (exclusive)
 * @param inSyncReplicas the agreed ISR as it knows it as leader, in ascending order; empty if it does not lead
 */
public record ReplicaState(
        int brokerId,
        boolean leading,
        int leaderEpoch,
        long logStartOffset,
        long logEndOffset,
        long highWatermark,
        List<Integer> inSyncReplicas) {

    @Override
    public String toString() {
        return "broker " + brokerId + (leading ? " leads" : " follows") + " in epoch " + leaderEpoch + ": log start "
                + logStartOffset + ", HW " + highWatermark + ", LEO " + logEndOffset;
    }
}
