package io.highwater.broker.partition;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * How much replication of the partitions that are listed for it may go on in a second: one for what this broker's leaders give, one for what
 * its followers take. It is asked before and told afterwards, so that a rate is exceeded by one answer and then made up for. Any thread.
 */
public final class ReplicationThrottle {
    /** The rate that means none. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final String ALL = "*";

    private final int nodeId;
    private final LongSupplier bytesPerSecond;
    private final Function<String, @Nullable String> listed;
    private final WindowedRate rate;
    private final Map<String, Listed> byTopic = new ConcurrentHashMap<>();

    /** What a topic's list says, and of which text that was read. */
    private record Listed(String text, Set<Integer> partitions) {}

    /**
     * A throttle that has seen nothing yet.
     *
     * @param bytesPerSecond the rate that holds now; {@link #UNLIMITED} for none
     * @param listed by topic: its list of {@code partition:broker} as it is now, or null
     * @param windows how many windows a rate is measured over
     * @param windowMs how long each is
     */
    public ReplicationThrottle(
            int nodeId,
            LongSupplier bytesPerSecond,
            Function<String, @Nullable String> listed,
            int windows,
            long windowMs,
            Clock clock) {
        this.nodeId = nodeId;
        this.bytesPerSecond = bytesPerSecond;
        this.listed = listed;
        this.rate = new WindowedRate(windows, windowMs, clock);
    }

    /** One that holds nobody back. */
    public static ReplicationThrottle none(Clock clock) {
        return new ReplicationThrottle(-1, () -> UNLIMITED, topic -> null, 1, 1_000, clock);
    }

    /** Whether the throttle is meant for that replica of this broker. */
    public boolean appliesTo(TopicPartition partition) {
        if (bytesPerSecond.getAsLong() == UNLIMITED) {
            return false;
        }
        String text = listed.apply(partition.topic());
        if (text == null || text.isBlank()) {
            byTopic.remove(partition.topic());
            return false;
        }
        if (text.trim().equals(ALL)) {
            return true;
        }
        Listed known = byTopic.get(partition.topic());
        if (known == null || !known.text().equals(text)) {
            known = new Listed(text, parse(text));
            byTopic.put(partition.topic(), known);
        }
        return known.partitions().contains(partition.partition());
    }

    /** Whether more than the rate has gone lately. */
    public boolean isExceeded() {
        return rate.bytesPerSecond() > bytesPerSecond.getAsLong();
    }

    /** So much has gone, for replicas that it applies to. */
    public void record(long bytes) {
        rate.record(bytes);
    }

    private Set<Integer> parse(String text) {
        Set<Integer> partitions = new HashSet<>();
        for (String entry : Arrays.asList(text.split(",", -1))) {
            String[] parts = entry.trim().split(":", -1);
            if (parts.length == 2 && parts[1].trim().equals(Integer.toString(nodeId))) {
                addIfNumber(partitions, parts[0].trim());
            }
        }
        return partitions;
    }

    /** Whoever wrote the list may have written digits without end: no partition has that number. */
    private static void addIfNumber(Set<Integer> partitions, String text) {
        try {
            partitions.add(Integer.valueOf(text));
        } catch (NumberFormatException e) {
            // The rest of the list holds.
        }
    }
}
