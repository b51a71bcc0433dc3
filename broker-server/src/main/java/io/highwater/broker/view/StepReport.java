package io.highwater.broker.view;

import java.util.List;

/**
 * Step mode in the cluster.
 *
 * @param enabled whether the one who answers has it
 * @param holding whose fetches are held where
 * @param held all fetches that wait, by leader and then the oldest first
 */
public record StepReport(boolean enabled, List<Hold> holding, List<HeldFetch> held) {
    /**
     * Fetches are held.
     *
     * @param leader the broker that holds them
     * @param follower the broker that sends them
     */
    public record Hold(int leader, int follower) {}
}
