package io.highwater.broker.partition;

import org.apache.kafka.common.protocol.Errors;

/**
 * What a partition's replica is at the moment, as others may see it without the lock.
 *
 * @param leading whether it leads
 * @param leaderId who leads, -1 if nobody
 * @param leaderEpoch reign of that leader, -1 before the first
 * @param epochStartOffset where this leader's reign began in the log; 0 unless leading
 */
public record RoleView(boolean leading, int leaderId, int leaderEpoch, long epochStartOffset) {
    static final RoleView NONE = new RoleView(false, -1, -1, 0);

    /** Whether someone in {@code currentLeaderEpoch} may be answered; -1 if he does not say. */
    Errors check(int currentLeaderEpoch) {
        if (currentLeaderEpoch == -1 || currentLeaderEpoch == leaderEpoch) {
            return Errors.NONE;
        }
        return currentLeaderEpoch < leaderEpoch ? Errors.FENCED_LEADER_EPOCH : Errors.UNKNOWN_LEADER_EPOCH;
    }

    /** As {@link #check}, and {@code leaderOnly} wants a leader. */
    Errors check(int currentLeaderEpoch, boolean leaderOnly) {
        Errors error = check(currentLeaderEpoch);
        return error == Errors.NONE && leaderOnly && !leading ? Errors.NOT_LEADER_OR_FOLLOWER : error;
    }
}
