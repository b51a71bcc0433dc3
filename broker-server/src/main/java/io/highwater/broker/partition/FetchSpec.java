package io.highwater.broker.partition;

import org.jspecify.annotations.Nullable;

/**
 * What a reader wants of one partition.
 *
 * @param fetchOffset the first offset it wants
 * @param maxBytes how much it takes; the first batch is cut to nothing if it does not fit, unless {@code minOneBatch}
 * @param minOneBatch whether a first batch above {@code maxBytes} is to be given whole
 * @param currentLeaderEpoch the reign it believes in, -1 if it does not say
 * @param lastFetchedEpoch the leader epoch of the record before {@code fetchOffset} in its log, -1 if it does not say
 * @param isolation how far it may see
 * @param leaderOnly whether a follower must not answer
 * @param follower who it is, if it is a replica
 */
public record FetchSpec(
        long fetchOffset,
        int maxBytes,
        boolean minOneBatch,
        int currentLeaderEpoch,
        int lastFetchedEpoch,
        Isolation isolation,
        boolean leaderOnly,
        @Nullable Follower follower) {

    /**
     * A replica that fetches.
     *
     * @param replicaId its broker
     * @param brokerEpoch the registration it fetches under, -1 if it does not say
     * @param logStartOffset the first offset it keeps
     * @param reread whether this only reads again what a waiting fetch was about, and so tells nothing new about the replica
     */
    public record Follower(int replicaId, long brokerEpoch, long logStartOffset, boolean reread) {}
}
