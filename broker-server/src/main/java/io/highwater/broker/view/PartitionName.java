package io.highwater.broker.view;

import java.util.Comparator;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Names a partition.
 *
 * @param topic its topic
 * @param partition its index, from 0
 */
public record PartitionName(String topic, int partition) implements Comparable<PartitionName> {
    private static final Comparator<PartitionName> ORDER =
            Comparator.comparing(PartitionName::topic).thenComparingInt(PartitionName::partition);

    /** Reads {@code orders-0}; null if it is no such name. */
    public static @Nullable PartitionName parse(String text) {
        int dash = text.lastIndexOf('-');
        if (dash <= 0 || !text.substring(dash + 1).matches("\\d{1,9}")) {
            return null;
        }
        return new PartitionName(text.substring(0, dash), Integer.parseInt(text.substring(dash + 1)));
    }

    TopicPartition asKafkas() {
        return new TopicPartition(topic, partition);
    }

    @Override
    public int compareTo(PartitionName other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return topic + "-" + partition;
    }
}
