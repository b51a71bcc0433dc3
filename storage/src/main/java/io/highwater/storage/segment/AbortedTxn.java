package io.highwater.storage.segment;

/**
 * A transaction whose records nobody who reads committed data may see.
 *
 * @param producerId whose it was
 * @param firstOffset of its first record in this partition
 * @param lastOffset of its abort marker
 * @param lastStableOffset below it everything was decided once this transaction was (exclusive)
 */
public record AbortedTxn(long producerId, long firstOffset, long lastOffset, long lastStableOffset) {}
