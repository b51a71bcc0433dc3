package io.highwater.storage.epoch;

/**
 * The beginning of one reign.
 *
 * @param epoch the leader epoch, at least 0
 * @param startOffset first offset written in it (inclusive)
 */
public record LeaderEpoch(int epoch, long startOffset) {
    public LeaderEpoch {
        if (epoch < 0 || startOffset < 0) {
            throw new IllegalArgumentException("no leader epoch " + epoch + " can start at offset " + startOffset);
        }
    }
}
