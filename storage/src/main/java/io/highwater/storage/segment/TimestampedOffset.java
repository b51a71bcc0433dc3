package io.highwater.storage.segment;

/**
 * An offset and the time of its record.
 *
 * @param timestampMs the record's, or -1 if the question was not about a timestamp
 * @param offset the record's
 * @param leaderEpoch of the leader that wrote it, or -1 if unknown
 */
public record TimestampedOffset(long timestampMs, long offset, int leaderEpoch) {}
