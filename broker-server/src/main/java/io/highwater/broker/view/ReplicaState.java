package io.highwater.broker.view;

import org.jspecify.annotations.Nullable;

/**
 * One replica of a partition.
 *
 * @param broker where it is
 * @param leading whether it leads
 * @param known whether the broker itself has answered; if not, what is here is what the leader knows of it, or -1
 * @param logStart first offset kept
 * @param highWatermark all below is committed as far as it knows (exclusive)
 * @param logEnd next offset to be written (exclusive)
 * @param inSync whether it is in the ISR, as the leader knows it, or else the metadata
 * @param lagRecords how many records of the leader it does not have; -1 if that is not known
 * @param lagMs since when it is not caught up, 0 if it is; -1 if the leader does not know
 * @param caughtUpAgeMs how long ago it was last known to have everything; 0 for the leader, -1 if it is not known
 * @param lastFetchAgeMs how long ago it last asked the leader; -1 for the leader itself, and if it has not
 * @param reason why it is not in sync; null if it is
 */
public record ReplicaState(
        int broker,
        boolean leading,
        boolean known,
        long logStart,
        long highWatermark,
        long logEnd,
        boolean inSync,
        long lagRecords,
        long lagMs,
        long caughtUpAgeMs,
        long lastFetchAgeMs,
        @Nullable String reason) {
    ReplicaState ageless() {
        return new ReplicaState(
                broker,
                leading,
                known,
                logStart,
                highWatermark,
                logEnd,
                inSync,
                lagRecords,
                Ages.step(lagMs, Ages.LAG_MS),
                caughtUpAgeMs < 0 ? -1 : 0,
                lastFetchAgeMs < 0 ? -1 : 0,
                reason);
    }
}
