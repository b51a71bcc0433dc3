package io.highwater.broker.view;

import java.util.List;

/**
 * A follower's fetch that waits in front of its leader.
 *
 * @param leader the broker that holds it
 * @param follower the broker that sent it
 * @param ageMs since when
 * @param partitions what it newly asks for; a fetch of a session that asks for the same as before names nothing
 */
public record HeldFetch(int leader, int follower, long ageMs, List<From> partitions) {
    /**
     * One partition in a fetch.
     *
     * @param topic its topic
     * @param partition its index
     * @param fetchOffset what the follower asks for, which tells that it has everything below
     */
    public record From(String topic, int partition, long fetchOffset) {}
}
