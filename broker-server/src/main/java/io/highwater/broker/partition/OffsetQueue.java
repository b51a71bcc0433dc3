package io.highwater.broker.partition;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * Requests that wait for a watermark, lowest first. Guarded by the partition's lock. Whoever takes an entry out answers it,
 * after the lock is released: that is what makes each be answered once. Bounded by the deadline of each entry.
 */
final class OffsetQueue {
    private final PriorityQueue<AwaitedOffset> waiting =
            new PriorityQueue<>(Comparator.comparingLong((AwaitedOffset awaited) -> awaited.requiredOffset));

    void add(AwaitedOffset awaited) {
        waiting.add(awaited);
    }

    /** Shows some of those that wait, at most {@code most}: the lowest, and then others in no order. */
    void forSome(int most, Consumer<AwaitedOffset> visitor) {
        int shown = 0;
        for (AwaitedOffset awaited : waiting) {
            if (shown++ == most) {
                return;
            }
            visitor.accept(awaited);
        }
    }

    /** True if it was still waiting. */
    boolean remove(AwaitedOffset awaited) {
        return waiting.remove(awaited);
    }

    /** Takes out those that {@code watermark} satisfies. */
    List<AwaitedOffset> takeUpTo(long watermark) {
        AwaitedOffset lowest = waiting.peek();
        if (lowest == null || lowest.requiredOffset > watermark) {
            return List.of();
        }
        List<AwaitedOffset> taken = new ArrayList<>();
        while (lowest != null && lowest.requiredOffset <= watermark) {
            taken.add(waiting.remove());
            lowest = waiting.peek();
        }
        return taken;
    }

    List<AwaitedOffset> takeAll() {
        List<AwaitedOffset> taken = List.copyOf(waiting);
        waiting.clear();
        return taken;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }
}
