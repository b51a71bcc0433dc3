package io.highwater.broker.partition;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/**
 * Replicas that should be here and are not, since the disk was full when they were to be opened. They are tried again in rounds, for as long
 * as they are wanted: an administrator makes room without telling. The applier's.
 */
final class HomelessReplicas {
    /** From the end of one round to the next. */
    static final long RETRY_MS = 5_000;

    /** A round ends after so many failures, so that a full disk is not asked once for each of thousands of replicas. */
    static final int FAILURES_PER_ROUND = 8;

    /** The next to be tried first. */
    private final Set<TopicPartition> waiting = new LinkedHashSet<>();

    /** True if it did not wait already. */
    boolean add(TopicPartition replica) {
        return waiting.add(replica);
    }

    /** One round. {@code settled} tries one and tells whether it has a home now, or is not wanted any more. */
    void retry(Predicate<TopicPartition> settled) {
        int failures = 0;
        for (TopicPartition replica : List.copyOf(waiting)) {
            waiting.remove(replica);
            waiting.add(replica); // the others come first next time, whatever happens to this one
            if (settled.test(replica)) {
                waiting.remove(replica);
            } else if (++failures == FAILURES_PER_ROUND) {
                return;
            }
        }
    }
}
