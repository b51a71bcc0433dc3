package io.highwater.broker.view;

import io.highwater.controlplane.ClusterImage;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The last summary of the cluster, given again while nothing has changed, and for a while that grows with what it cost: the walk through very many
 * partitions takes a small share of a core. Any thread.
 */
final class SummaryCache {
    /** It may cost one part in so many. */
    private static final int SHARE = 200;

    /** Never older, whatever it costs: a broker's state and what is under-replicated are news. */
    private static final long MOST_STALE_NANOS = 2_000_000_000;

    private @Nullable Made last;

    private record Made(
            ClusterImage image,
            int controller,
            Set<Integer> silent,
            ClusterReport report,
            long atNanos,
            long costNanos) {}

    // Identity: an image is one object from its publication to the next one's.
    @SuppressWarnings("ReferenceEquality")
    synchronized ClusterReport get(
            ClusterImage image, int controller, Set<Integer> silent, Supplier<ClusterReport> making) {
        Made made = last;
        long startNanos = System.nanoTime();
        if (made != null) {
            boolean same = made.image == image && made.controller == controller && made.silent.equals(silent);
            if (same || startNanos - made.atNanos < Math.min(made.costNanos * SHARE, MOST_STALE_NANOS)) {
                return made.report;
            }
        }
        ClusterReport report = making.get();
        long endNanos = System.nanoTime();
        last = new Made(image, controller, Set.copyOf(silent), report, endNanos, endNanos - startNanos);
        return report;
    }
}
