package io.highwater.replication;

import org.jspecify.annotations.Nullable;

/**
 * What a leader says to a fetch, records aside; a follower says the same to a consumer. Records only come with an answer that is neither
 * refused nor diverging.
 *
 * @param refusal why there is nothing, null if there is
 * @param highWatermark all below it is committed (exclusive); -1 if refused
 * @param logStartOffset first offset the leader keeps; -1 if refused
 * @param diverging where the asker's last epoch ends in the leader's log, if the asker has gone astray
 */
public record LeaderAnswer(
        @Nullable Refusal refusal,
        long highWatermark,
        long logStartOffset,
        @Nullable EpochEnd diverging) {

    /** No. */
    public static LeaderAnswer refused(Refusal refusal) {
        return new LeaderAnswer(refusal, -1, -1, null);
    }

    /**
     * What a leader with this log has to say to somebody who holds everything below {@code fetchOffset}. Hot.
     *
     * @param lastFetchedEpoch the epoch of the asker's newest records; -1 if it does not say, and then nothing is compared
     */
    public static LeaderAnswer to(long fetchOffset, int lastFetchedEpoch, ReplicaLog log, long highWatermark) {
        long logStartOffset = log.logStartOffset();
        if (lastFetchedEpoch != -1) {
            EpochEnd end = log.endOffsetFor(lastFetchedEpoch);
            if (!end.isDefined() || fetchOffset < logStartOffset) {
                return refused(Refusal.OFFSET_OUT_OF_RANGE);
            }
            if (end.epoch() < lastFetchedEpoch || end.offset() < fetchOffset) {
                return new LeaderAnswer(null, highWatermark, logStartOffset, end);
            }
        }
        if (fetchOffset < logStartOffset || fetchOffset > log.logEndOffset()) {
            return refused(Refusal.OFFSET_OUT_OF_RANGE);
        }
        return new LeaderAnswer(null, highWatermark, logStartOffset, null);
    }
}
