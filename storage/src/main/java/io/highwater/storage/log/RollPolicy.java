package io.highwater.storage.log;

import io.highwater.storage.segment.Segment;
import java.io.IOException;

/** Whether an append needs a new segment. */
final class RollPolicy {
    private RollPolicy() {}

    /**
     * Decides before an append.
     *
     * @param sizeBytes of what is to be appended
     * @param maxTimestampMs its largest timestamp, -1 if it has none
     * @param lastOffset its last offset (inclusive)
     */
    static boolean mustRoll(
            Segment active, LogSettings settings, int sizeBytes, long maxTimestampMs, long lastOffset, long nowMs)
            throws IOException {
        if (active.isEmpty()) {
            return !active.fits(lastOffset); // for no other reason would a new one be better than this
        }
        return active.sizeBytes() > settings.segment().bytes() - sizeBytes
                || !active.fits(lastOffset)
                || active.indexIsFull()
                || active.ageMs(nowMs, maxTimestampMs)
                        > settings.rollMs() - active.shape().rollJitterMs();
    }
}
