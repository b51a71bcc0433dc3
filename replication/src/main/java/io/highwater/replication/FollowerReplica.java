package io.highwater.replication;

import org.jspecify.annotations.Nullable;

/**
 * The follower's side of one partition: what it takes its leader's word for, and where it gives up its own records.
 * Guarded by its partition's lock.
 */
public final class FollowerReplica {
    private final int leaderId;
    private int leaderEpoch;
    private int partitionEpoch;
    private long highWatermark;

    /** The leader has said that this epoch is over. */
    private boolean halted;

    /**
     * A replica that has just been told to follow.
     *
     * @param leaderId -1 if there is none to follow
     */
    public FollowerReplica(int leaderId, int leaderEpoch, int partitionEpoch, LogBounds log) {
        this.leaderId = leaderId;
        this.leaderEpoch = leaderEpoch;
        this.partitionEpoch = partitionEpoch;
        this.highWatermark = log.highWatermark();
    }

    /** News in which this replica still follows the same leader. Older news is ignored. */
    public void onFollowing(int newLeaderEpoch, int newPartitionEpoch) {
        if (newPartitionEpoch >= partitionEpoch && newLeaderEpoch >= leaderEpoch) {
            halted = halted && newLeaderEpoch == leaderEpoch;
            leaderEpoch = newLeaderEpoch;
            partitionEpoch = newPartitionEpoch;
        }
    }

    /**
     * The leader's answer has been appended. The high watermark may go down here: the leader's word stands.
     *
     * @param leaderHighWatermark as the answer says
     */
    public void onFetched(long leaderHighWatermark, long logStartOffset, long logEndOffset) {
        highWatermark = Math.max(logStartOffset, Math.min(leaderHighWatermark, logEndOffset));
    }

    /** The log now ends at {@code logEndOffset}. */
    public void onTruncated(long logEndOffset) {
        highWatermark = Math.min(highWatermark, logEndOffset);
    }

    /** The log now starts at {@code logStartOffset}. */
    public void onLogStartRaised(long logStartOffset) {
        highWatermark = Math.max(highWatermark, logStartOffset);
    }

    /** The log was dropped and starts again, empty, at {@code offset}. */
    public void onRestartedAt(long offset) {
        highWatermark = offset;
    }

    /** Where the first fetch of a reign starts: the log end if epochs are known, else only what is surely committed. */
    public long firstFetchOffset(boolean hasEpochs, long logEndOffset) {
        return hasEpochs ? logEndOffset : highWatermark;
    }

    /**
     * A reign begins. A log that knows no epochs cannot be compared with the leader's: it keeps what is surely committed, and no more.
     *
     * @return TRUNCATE, or IGNORE if there is nothing to do
     */
    public FollowerStep onReign(ReplicaLog log) {
        long offset = firstFetchOffset(log.latestEpoch() >= 0, log.logEndOffset());
        return offset < log.logEndOffset() ? FollowerStep.truncateTo(offset) : FollowerStep.IGNORE;
    }

    /** What to ask the leader next; null while there is nobody to ask, or nothing before news from the controller. */
    public @Nullable FetchPosition nextFetch(ReplicaLog log) {
        return leaderId < 0 || halted
                ? null
                : new FetchPosition(
                        leaderId,
                        leaderEpoch,
                        log.logEndOffset(),
                        log.latestEpoch(),
                        log.logStartOffset(),
                        highWatermark);
    }

    /**
     * The leader has answered.
     *
     * @param asked the question, as {@link #nextFetch} gave it
     */
    public FollowerStep onAnswer(FetchPosition asked, LeaderAnswer answer, ReplicaLog log) {
        if (isStale(asked, log)) {
            return FollowerStep.IGNORE;
        }
        Refusal refusal = answer.refusal();
        if (refusal != null) {
            return onRefused(refusal);
        }
        EpochEnd diverging = answer.diverging();
        if (diverging == null) {
            return FollowerStep.APPEND;
        }
        return FollowerStep.truncateTo(
                truncationOffset(diverging, log.endOffsetFor(diverging.epoch()), log.logEndOffset()));
    }

    /**
     * The leader's log, which does not hold the offset that was asked for, reaches from one offset to the other.
     *
     * @param leaderLogStart first offset the leader keeps
     * @param leaderLogEnd end of the leader's log (exclusive), committed or not
     */
    public FollowerStep onLeaderBounds(FetchPosition asked, long leaderLogStart, long leaderLogEnd, ReplicaLog log) {
        if (isStale(asked, log)) {
            return FollowerStep.IGNORE;
        }
        long logEndOffset = log.logEndOffset();
        if (leaderLogEnd < logEndOffset) {
            return FollowerStep.truncateTo(leaderLogEnd);
        }
        // Never hot: a leader that stays out of range for any other reason is asked again at leisure.
        return leaderLogStart > logEndOffset ? FollowerStep.restartAt(leaderLogStart) : FollowerStep.BACK_OFF;
    }

    private FollowerStep onRefused(Refusal refusal) {
        return switch (refusal) {
            case OFFSET_OUT_OF_RANGE -> FollowerStep.ASK_BOUNDS;
            case FENCED_EPOCH -> {
                halted = true;
                yield FollowerStep.HALT;
            }
            case NOT_LEADER,
                    UNKNOWN_EPOCH,
                    NOT_ASSIGNED,
                    STALE_BROKER_EPOCH,
                    NOT_ENOUGH_REPLICAS,
                    NOT_ENOUGH_REPLICAS_AFTER_APPEND -> FollowerStep.BACK_OFF;
        };
    }

    private boolean isStale(FetchPosition asked, ReplicaLog log) {
        return asked.leaderEpoch() != leaderEpoch
                || asked.fetchOffset() != log.logEndOffset()
                || asked.lastFetchedEpoch() != log.latestEpoch();
    }

    /**
     * The leader says that its log of {@code leaderEnd.epoch()} ends at {@code leaderEnd.offset()}, and so this one went
     * astray. Fetching goes on from the answer; if the epochs differ, the next answer may say so again.
     *
     * @param leaderEnd what the leader answered
     * @param ownEnd where this log ends in the same epoch or in the nearest older one it has, undefined if it has none
     * @return the offset to truncate to, at most {@code logEndOffset}
     */
    public static long truncationOffset(EpochEnd leaderEnd, EpochEnd ownEnd, long logEndOffset) {
        if (!ownEnd.isDefined()) {
            return Math.min(leaderEnd.offset(), logEndOffset);
        }
        if (ownEnd.epoch() != leaderEnd.epoch()) {
            return Math.min(ownEnd.offset(), logEndOffset);
        }
        return Math.min(Math.min(ownEnd.offset(), leaderEnd.offset()), logEndOffset);
    }

    /** The broker to fetch from, -1 if none. */
    public int leaderId() {
        return leaderId;
    }

    /** Reign of the leader it follows. */
    public int leaderEpoch() {
        return leaderEpoch;
    }

    /** Version of the partition's agreed state. */
    public int partitionEpoch() {
        return partitionEpoch;
    }

    /** All below it is committed (exclusive), as far as this replica knows. */
    public long highWatermark() {
        return highWatermark;
    }
}
