package io.highwater.broker.metrics;

import java.util.List;

/**
 * One replica at one moment, as its series tell it. All of it was true at the same time.
 *
 * @param topic the topic's name
 * @param partition the partition within it
 * @param leading whether this replica leads
 * @param leader the broker that leads, -1 if none does
 * @param leaderEpoch reign of its leader, -1 before the first
 * @param logStartOffset first offset kept
 * @param lastStableOffset no open transaction below it (exclusive)
 * @param highWatermark all below it is committed as far as this replica knows (exclusive)
 * @param logEndOffset next offset to be written (exclusive)
 * @param sizeBytes of its segments
 * @param retentionPercent its size as a share of {@code retention.bytes}, in percent; 0 if its size is not limited
 * @param segments how many there are
 * @param producers idempotent producers that it remembers
 * @param behindRecords committed records that its leader had and it had not when it last fetched, -1 if it leads or has not fetched in this reign
 * @param leadership what it knows as leader; {@link Leadership#NONE} if another leads
 */
public record ReplicaSample(
        String topic,
        int partition,
        boolean leading,
        int leader,
        int leaderEpoch,
        long logStartOffset,
        long lastStableOffset,
        long highWatermark,
        long logEndOffset,
        long sizeBytes,
        int retentionPercent,
        int segments,
        int producers,
        long behindRecords,
        Leadership leadership) {

    /**
     * What only the leader of a partition knows.
     *
     * @param replicas where the partition should live; includes those that a reassignment adds
     * @param adding how many of them a reassignment adds
     * @param reassigning whether one is under way
     * @param inSyncReplicas how many are in sync, the leader among them
     * @param minInSyncReplicas fewer refuse acks=all; never more than there are replicas
     * @param preferred whether the leader is the first of the assignment
     * @param followers all others
     */
    public record Leadership(
            int replicas,
            int adding,
            boolean reassigning,
            int inSyncReplicas,
            int minInSyncReplicas,
            boolean preferred,
            List<Follower> followers) {
        /** Of a replica that does not lead. */
        public static final Leadership NONE = new Leadership(0, 0, false, 0, 0, false, List.of());
    }

    /**
     * A follower as its leader sees it.
     *
     * @param broker where it is
     * @param lagRecords records that it does not hold, -1 if it has not fetched yet
     * @param lagMs time since it was last caught up, 0 if it is, -1 if it has not been under this leader
     */
    public record Follower(int broker, long lagRecords, long lagMs) {}

    /** Whether replicas are missing among those in sync; one that is only being added is not missing. */
    public boolean isUnderReplicated() {
        return leading && leadership.inSyncReplicas < leadership.replicas - leadership.adding;
    }

    /** Whether one failure more leads to refused writes. */
    public boolean isAtMinIsr() {
        return leading && leadership.inSyncReplicas == leadership.minInSyncReplicas;
    }

    /** Whether writes with acks=all are being refused. */
    public boolean isUnderMinIsr() {
        return leading && leadership.inSyncReplicas < leadership.minInSyncReplicas;
    }
}
