package io.highwater.itests.soak;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartitionInfo;

/**
 * Asks a broker again and again who leads, and measures for how long a partition had no leader, or one that is not running. A thread of its own.
 */
final class LeaderWatch implements AutoCloseable {
    private static final Duration EVERY = Duration.ofMillis(20);
    private static final long ANSWER_MS = 1_000;

    private final Admin admin;
    private final String topic;
    private final AtomicBoolean watching = new AtomicBoolean(true);
    private final Thread thread = new Thread(this::watch, "leader-watch");
    private final Map<Integer, Long> leaderlessSinceNs = new HashMap<>();
    private long longestNs;
    private long answers;

    /** Starts to watch, through any broker that answers. */
    LeaderWatch(String servers, String topic) {
        this.admin = Admin.create(Map.of("bootstrap.servers", servers, "request.timeout.ms", "1000"));
        this.topic = topic;
        thread.start();
    }

    /** Stops watching. */
    @Override
    public void close() {
        watching.set(false);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        admin.close(Duration.ZERO);
    }

    /** The longest time in which one and the same partition had no leader, in milliseconds. After {@link #close}. */
    long longestLeaderlessMs() {
        return TimeUnit.NANOSECONDS.toMillis(longestNs);
    }

    /** How often the question was answered. After {@link #close}. */
    long answers() {
        return answers;
    }

    private void watch() {
        while (watching.get()) {
            try {
                Map<String, TopicDescription> descriptions =
                        admin.describeTopics(List.of(topic)).allTopicNames().get(ANSWER_MS, TimeUnit.MILLISECONDS);
                answers++;
                descriptions.values().forEach(one -> one.partitions().forEach(this::look));
                Thread.sleep(EVERY.toMillis());
            } catch (ExecutionException | TimeoutException e) {
                // The one that was asked is going down: another one is asked next.
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void look(TopicPartitionInfo partition) {
        long nowNs = System.nanoTime();
        if (partition.leader() == null || partition.leader().isEmpty()) {
            long sinceNs = leaderlessSinceNs.computeIfAbsent(partition.partition(), index -> nowNs);
            longestNs = Math.max(longestNs, nowNs - sinceNs);
        } else {
            Long sinceNs = leaderlessSinceNs.remove(partition.partition());
            longestNs = sinceNs == null ? longestNs : Math.max(longestNs, nowNs - sinceNs);
        }
    }
}
