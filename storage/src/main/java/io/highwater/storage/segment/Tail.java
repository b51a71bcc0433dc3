package io.highwater.storage.segment;

/**
 * The published end of a segment: one write makes all of it visible together.
 *
 * @param endOffset next offset to be written (exclusive)
 * @param endPosition bytes of the file that readers may touch (exclusive)
 * @param lastBaseOffset first offset of the last append, which is what a reader at the tail asks for next; -1 if unknown
 * @param lastPosition where that append starts
 * @param maxTimestampMs largest timestamp of the segment's records, -1 if none has one, {@link #UNKNOWN} before it was needed
 * @param maxTimestampOffset last offset of the batch that holds it
 */
record Tail(
        long endOffset,
        int endPosition,
        long lastBaseOffset,
        int lastPosition,
        long maxTimestampMs,
        long maxTimestampOffset) {

    /** The time index has not been looked at yet. */
    static final long UNKNOWN = Long.MIN_VALUE;

    /** The end of what was just found on disk. */
    static Tail opened(long endOffset, int endPosition) {
        return new Tail(endOffset, endPosition, -1, 0, UNKNOWN, -1);
    }

    Tail withEndOffset(long newEndOffset) {
        return new Tail(newEndOffset, endPosition, lastBaseOffset, lastPosition, maxTimestampMs, maxTimestampOffset);
    }

    Tail withLargest(long timestampMs, long offset) {
        return new Tail(endOffset, endPosition, lastBaseOffset, lastPosition, timestampMs, offset);
    }
}
