package io.highwater.broker.partition;

/** How far into the log a reader may see. */
public enum Isolation {
    /** Everything appended: replicas. */
    LOG_END,
    /** What is committed: consumers with read_uncommitted. */
    HIGH_WATERMARK,
    /** What is committed and not part of an open transaction: consumers with read_committed. */
    LAST_STABLE_OFFSET
}
