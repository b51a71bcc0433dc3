package io.highwater.broker.view;

import io.highwater.broker.journal.IsrChange;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a broker answers; what was not asked for is null or empty.
 *
 * @param brokerId who answers
 * @param clusterId of its cluster
 * @param replicas those asked for that are not as the asker knows them, as {@link ReplicaWriter} writes them
 * @param watermarks of those asked for that are led there
 * @param unread after those places asked for whose partitions are led there
 * @param events of its journal
 * @param isrChanges as it has seen them
 * @param groups those it coordinates
 * @param acks of the partitions it leads
 * @param step step mode there
 */
public record LocalAnswer(
        int brokerId,
        String clusterId,
        String replicas,
        List<Watermark> watermarks,
        List<Unread> unread,
        @Nullable EventPage events,
        List<IsrChange> isrChanges,
        List<LocalGroup> groups,
        List<AcksSeen> acks,
        @Nullable LocalStep step) {
    public LocalAnswer {
        // What a broker of another version does not know about is not there.
        replicas = Objects.requireNonNullElse(replicas, "");
    }

    /**
     * What a reader has not read of a partition, as its leader knows.
     *
     * @param topic its topic
     * @param partition its index
     * @param offset what the reader reads next
     * @param highWatermark exclusive
     * @param timestampMs when the first record that is left was written; -1 if none is or that is not known
     */
    public record Unread(String topic, int partition, long offset, long highWatermark, long timestampMs) {}
}
