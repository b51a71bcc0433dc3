package io.highwater.broker.view;

import java.util.List;

/**
 * Step mode on one broker.
 *
 * @param enabled {@code highwater.step.enabled}
 * @param holding the followers whose fetches it holds, ascending
 * @param held the fetches it holds, the oldest first
 */
public record LocalStep(boolean enabled, List<Integer> holding, List<HeldFetch> held) {
    /** It is not enabled. */
    public static final LocalStep OFF = new LocalStep(false, List.of(), List.of());
}
