package io.highwater.replication.simulation;

/**
 * What a cluster is like. Times are shorter than real ones, in the same proportions.
 *
 * @param brokers how many, all of them replicas of the one partition
 * @param minInSync of the topic
 * @param unclean whether a replica that may lack committed records may lead when nobody else is left
 * @param disconnectGraceMs of the early shrink, negative: off
 * @param heartbeatMs how often a broker reports to the controller
 * @param sessionMs silence after which the controller fences
 * @param maxLagMs see {@link io.highwater.replication.ReplicaSettings}
 * @param fetchWaitMs how long a follower's fetch waits for something new
 * @param callTimeoutMs when a request is given up
 * @param maxLatencyMs of the network when nothing is wrong with it
 * @param maxFetchRecords how many records an answer to a follower holds at most
 * @param autonomous whether brokers act by themselves; if not, a story tells them when
 */
record Settings(
        int brokers,
        int minInSync,
        boolean unclean,
        long disconnectGraceMs,
        long heartbeatMs,
        long sessionMs,
        long maxLagMs,
        long fetchWaitMs,
        long callTimeoutMs,
        int maxLatencyMs,
        int maxFetchRecords,
        boolean autonomous) {

    static Settings chaos(int brokers, int minInSync, boolean unclean, long disconnectGraceMs) {
        return new Settings(brokers, minInSync, unclean, disconnectGraceMs, 300, 1_000, 3_000, 250, 1_000, 4, 4, true);
    }

    /** As Kafka's defaults say, but nothing happens unless it is told to. */
    static Settings story(int brokers, int minInSync, long disconnectGraceMs) {
        return new Settings(
                brokers, minInSync, false, disconnectGraceMs, 2_000, 9_000, 30_000, 0, 60_000, 0, 10_000, false);
    }
}
