package io.highwater.replication;

/**
 * What a follower asks its leader for, and says of itself by asking.
 *
 * @param leaderId whom it asks
 * @param leaderEpoch the reign it believes to be in
 * @param fetchOffset next offset it wants: it holds everything below
 * @param lastFetchedEpoch the epoch of its newest records, -1 if it has none
 * @param logStartOffset first offset it keeps
 * @param highWatermark what it knows to be committed (exclusive); a leader that knows better answers at once
 */
public record FetchPosition(
        int leaderId,
        int leaderEpoch,
        long fetchOffset,
        int lastFetchedEpoch,
        long logStartOffset,
        long highWatermark) {}
