package io.highwater.storage.segment;

/**
 * How a segment is built.
 *
 * @param maxBytes how large its file may grow
 * @param indexBytes full size of each index file
 * @param indexIntervalBytes bytes of batches between two index entries
 * @param rollJitterMs taken off the age at which it is rolled
 */
public record SegmentShape(int maxBytes, int indexBytes, int indexIntervalBytes, long rollJitterMs) {}
