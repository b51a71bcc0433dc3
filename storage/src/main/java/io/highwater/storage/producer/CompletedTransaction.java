package io.highwater.storage.producer;

/**
 * A transaction that its marker has just ended.
 *
 * @param producerId whose it was
 * @param firstOffset of its first record in this partition
 * @param lastOffset of its marker
 * @param aborted whether its records are void; then it belongs into the segment's {@code .txnindex}
 * @param lastStableOffset what the last stable offset is once the marker is committed: start of the next open transaction, or the
 *     offset after the marker
 */
public record CompletedTransaction(
        long producerId, long firstOffset, long lastOffset, boolean aborted, long lastStableOffset) {}
