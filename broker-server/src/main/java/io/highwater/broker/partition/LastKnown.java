package io.highwater.broker.partition;

/**
 * What is remembered of a log while it is closed.
 *
 * @param recoveryPoint all below is on the disk
 * @param logStart first offset kept
 * @param highWatermark all below was committed
 * @param clean whether it was closed in order
 */
record LastKnown(long recoveryPoint, long logStart, long highWatermark, boolean clean) {
    /** Of a log that is new. */
    static final LastKnown NOTHING = new LastKnown(0, 0, 0, true);

    /** Of a log that has just been closed. */
    static LastKnown of(Partition closed, boolean clean) {
        return new LastKnown(closed.log().recoveryPoint(), closed.logStartOffset(), closed.highWatermark(), clean);
    }
}
