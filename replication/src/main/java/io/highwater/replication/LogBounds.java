package io.highwater.replication;

/**
 * Where a replica's log stands when it takes up a role.
 *
 * @param logStartOffset first offset kept
 * @param highWatermark what was last known to be committed (exclusive); brought between the other two if outside
 * @param logEndOffset next offset to be written
 */
public record LogBounds(long logStartOffset, long highWatermark, long logEndOffset) {
    /** Brings the high watermark between log start and log end. */
    public LogBounds {
        highWatermark = Math.min(Math.max(highWatermark, logStartOffset), logEndOffset);
    }
}
