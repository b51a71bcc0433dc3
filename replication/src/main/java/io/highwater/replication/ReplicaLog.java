package io.highwater.replication;

/** One replica's log, as far as decisions need to see it. Implementations answer from memory and have no side effects. */
public interface ReplicaLog {
    /** First offset kept. */
    long logStartOffset();

    /** Next offset to be written (exclusive end). */
    long logEndOffset();

    /** The newest leader epoch that it knows of, -1 if none. */
    int latestEpoch();

    /**
     * Where an epoch ends in this log: the end of the log for the newest one, the start of the next higher one for the largest
     * known epoch up to {@code epoch}, undefined if there is nothing to tell.
     */
    EpochEnd endOffsetFor(int epoch);
}
