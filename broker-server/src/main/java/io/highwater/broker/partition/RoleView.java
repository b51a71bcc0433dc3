package io.highwater.broker.partition;

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
}
