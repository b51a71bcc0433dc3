package io.highwater.replication;

import org.jspecify.annotations.Nullable;

/** Why a replica says no. The world's fault, not ours: always a value, never thrown. */
public enum Refusal {
    /** This replica does not lead. */
    NOT_LEADER,
    /** The caller is in an older leader epoch than this replica. */
    FENCED_EPOCH,
    /** The caller is in a newer leader epoch than this replica has heard of. */
    UNKNOWN_EPOCH,
    /** The log does not hold that offset, or knows nothing of that epoch. */
    OFFSET_OUT_OF_RANGE,
    /** The fetching replica is not assigned to the partition, as far as this leader knows. */
    NOT_ASSIGNED,
    /** The fetching broker has registered anew since; this is a fetch of its former life. */
    STALE_BROKER_EPOCH,
    /** acks=all, and fewer replicas are in sync than the topic demands: nothing is written. */
    NOT_ENOUGH_REPLICAS,
    /** acks=all, committed, but by then fewer replicas were in sync than the topic demands. */
    NOT_ENOUGH_REPLICAS_AFTER_APPEND;

    /**
     * Whether somebody may be answered by a replica in {@code leaderEpoch}, null if so. Epochs come first: who is behind the times is
     * told that, and not where the leader no longer is.
     *
     * @param askedEpoch the epoch the asker believes in, -1 if it does not say
     * @param leaderOnly whether only a leader may answer
     * @param leading whether this replica leads
     */
    public static @Nullable Refusal of(int askedEpoch, boolean leaderOnly, int leaderEpoch, boolean leading) {
        if (askedEpoch != -1 && askedEpoch != leaderEpoch) {
            return askedEpoch < leaderEpoch ? FENCED_EPOCH : UNKNOWN_EPOCH;
        }
        return leaderOnly && !leading ? NOT_LEADER : null;
    }
}
