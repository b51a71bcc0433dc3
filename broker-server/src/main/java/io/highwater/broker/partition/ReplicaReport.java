package io.highwater.broker.partition;

import org.jspecify.annotations.Nullable;

/**
 * One replica at one moment: everything was true at the same time.
 *
 * @param leading whether it leads
 * @param leaderId who leads, -1 if nobody
 * @param leaderEpoch reign of that leader, -1 before the first
 * @param logStart first offset kept
 * @param highWatermark all below it is committed as far as this replica knows (exclusive)
 * @param lastStableOffset no open transaction below it (exclusive)
 * @param logEnd next offset to be written (exclusive)
 * @param asLeader what only a leader knows; null if another leads
 */
public record ReplicaReport(
        boolean leading,
        int leaderId,
        int leaderEpoch,
        long logStart,
        long highWatermark,
        long lastStableOffset,
        long logEnd,
        @Nullable LeaderReport asLeader) {}
