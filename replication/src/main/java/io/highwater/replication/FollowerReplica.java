package io.highwater.replication;

/**
 * The follower's side of one partition: what it takes its leader's word for, and where it gives up its own records.
 * Guarded by its partition's lock.
 */
public final class FollowerReplica {
    private final int leaderId;
    private int leaderEpoch;
    private int partitionEpoch;
    private long highWatermark;

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
