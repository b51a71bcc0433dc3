package io.highwater.broker.journal;

import org.jspecify.annotations.Nullable;

/**
 * How one replica has come and gone among the in-sync replicas of its partition.
 *
 * @param topic its topic
 * @param partition its partition
 * @param broker where it is
 * @param timesRemoved how often it was removed
 * @param totalMsOut how long it has been out altogether, the present time included
 * @param outSinceWallMs since when it is out, in milliseconds since 1970; null while it is in
 * @param lastReason why it was last removed; null if nobody knows
 * @param fromItsLeader whether the reason is the leader's own sentence, and not what others make of the metadata
 */
public record IsrChange(
        String topic,
        int partition,
        int broker,
        int timesRemoved,
        long totalMsOut,
        @Nullable Long outSinceWallMs,
        @Nullable String lastReason,
        boolean fromItsLeader) {}
