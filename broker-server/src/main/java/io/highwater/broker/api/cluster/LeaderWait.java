package io.highwater.broker.api.cluster;

import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import io.highwater.controlplane.TopicView;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits until the leaders of new partitions take records. Kafka answers as soon as the controller has decided; a producer that comes
 * in between is refused, and one that wants its records in order can then retry for a long time.
 *
 * <p>Only leaders on this broker are waited for; one on another broker counts as serving when this broker has heard of it. Any thread.
 */
final class LeaderWait {
    private static final long FIRST_DELAY_MS = 1;
    private static final long LONGEST_DELAY_MS = 50;

    private final int nodeId;
    private final Supplier<ClusterImage> image;
    private final LeadersServing leaders;
    private final Delays delays;

    /** No client's timeout may keep something waiting here for longer. */
    private final long longestWaitMs;

    LeaderWait(ClusterNeeds needs) {
        this.nodeId = needs.config().current().nodeId();
        this.image = needs.controlPlane()::image;
        this.leaders = needs.leaders();
        this.delays = needs.delays();
        this.longestWaitMs = needs.config().current().getInt("request.timeout.ms");
    }

    /**
     * Waits for topics to have at least so many partitions with serving leaders.
     *
     * @param partitionsByTopic how many; 0 for as many as the topic has
     * @return completes when they serve or when the time has passed, never fails
     */
    Future<Void> until(Map<String, Integer> partitionsByTopic, long timeoutMs) {
        Promise<Void> done = Promise.promise();
        long waitMs = Math.min(timeoutMs, longestWaitMs);
        look(partitionsByTopic, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs), FIRST_DELAY_MS, done);
        return done.future();
    }

    private void look(Map<String, Integer> partitionsByTopic, long deadlineNanos, long delayMs, Promise<Void> done) {
        ClusterImage now = image.get();
        boolean serving = partitionsByTopic.entrySet().stream()
                .allMatch(each -> serves(now.topic(each.getKey()), each.getValue()));
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        if (serving || leftMs <= 0) {
            done.complete();
            return;
        }
        delays.after(
                Math.min(delayMs, leftMs),
                () -> look(partitionsByTopic, deadlineNanos, Math.min(2 * delayMs, LONGEST_DELAY_MS), done));
    }

    private boolean serves(@Nullable TopicView topic, int partitions) {
        return topic != null
                && topic.partitions().size() >= partitions
                && topic.partitions().stream().allMatch(this::serves);
    }

    /** A partition without a leader has no replica alive: nothing will change within this wait. */
    private boolean serves(PartitionView partition) {
        return partition.leader() != nodeId || leaders.isServing(partition.topic(), partition.index());
    }
}
