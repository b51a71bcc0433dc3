package io.highwater.broker.partition;

/** Decides what a failure of a log means: for its partition, for its directory, for the broker. */
public interface StorageFailures {
    /** Something of {@code partition} could not be written or read. Called without its lock; must not throw. */
    void onFailure(Partition partition, Throwable cause);

    /** Whether {@code partition} may not be written, so that its disk keeps room for the metadata. Hot. */
    boolean refusesRecords(Partition partition);
}
