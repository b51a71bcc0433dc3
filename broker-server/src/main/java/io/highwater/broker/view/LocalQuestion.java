package io.highwater.broker.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one broker asks another.
 *
 * @param replicas replicas to report on, at most {@link #MOST_REPLICAS}
 * @param watermarks partitions of which only the high watermark is asked for, at most {@link #MOST_WATERMARKS}
 * @param positions where groups stand in partitions, of which it is asked what they have not read, at most {@link #MOST_POSITIONS}
 * @param events events to tell; null for none
 * @param isrChanges whether to tell who came and went among in-sync replicas
 * @param groups whether to tell the groups coordinated there
 * @param acks whether to tell which topics were written with weak acks
 * @param step what to do with held fetches, see {@link StepCommand}; null for nothing
 */
public record LocalQuestion(
        List<ReplicaQuestion> replicas,
        List<PartitionName> watermarks,
        List<Position> positions,
        @Nullable EventFilter events,
        @Nullable IsrFilter isrChanges,
        boolean groups,
        boolean acks,
        @Nullable StepCommand step) {
    /** More in one question are cut off. */
    public static final int MOST_REPLICAS = 1_000;

    /** More in one question are cut off. */
    public static final int MOST_WATERMARKS = 10_000;

    /** More in one question are cut off. */
    public static final int MOST_POSITIONS = 10_000;

    /**
     * A place in a partition.
     *
     * @param topic its topic
     * @param partition its index
     * @param offset what is read next
     */
    public record Position(String topic, int partition, long offset) {}

    /** Whether it changes something. */
    public boolean isCommand() {
        return step != null && !step.equals(StepCommand.LOOK);
    }

    /**
     * Both in one, each part of which whoever has asked for it finds in the answer. Null if that cannot be: both want the same part, or one wants what
     * takes its time or does something.
     */
    public @Nullable LocalQuestion with(LocalQuestion other) {
        if (groups
                || other.groups
                || step != null
                || other.step != null
                || !positions.isEmpty()
                || !other.positions.isEmpty()
                || (!replicas.isEmpty() && !other.replicas.isEmpty())
                || (!watermarks.isEmpty() && !other.watermarks.isEmpty())
                || (events != null && other.events != null)
                || (isrChanges != null && other.isrChanges != null)) {
            return null;
        }
        return new LocalQuestion(
                replicas.isEmpty() ? other.replicas : replicas,
                watermarks.isEmpty() ? other.watermarks : watermarks,
                List.of(),
                events == null ? other.events : events,
                isrChanges == null ? other.isrChanges : isrChanges,
                false,
                acks || other.acks,
                null);
    }

    /** Nothing but a sign of life. */
    public static final LocalQuestion NOTHING =
            new LocalQuestion(List.of(), List.of(), List.of(), null, null, false, false, null);

    /** About replicas. */
    public static LocalQuestion about(List<ReplicaQuestion> replicas) {
        return new LocalQuestion(replicas, List.of(), List.of(), null, null, false, false, null);
    }

    /** About high watermarks alone. */
    public static LocalQuestion watermarks(List<PartitionName> partitions) {
        return new LocalQuestion(List.of(), partitions, List.of(), null, null, false, false, null);
    }

    /** About what follows these places. */
    public static LocalQuestion positions(List<Position> positions) {
        return new LocalQuestion(List.of(), List.of(), positions, null, null, false, false, null);
    }

    /** About events. */
    public static LocalQuestion events(EventFilter filter) {
        return new LocalQuestion(List.of(), List.of(), List.of(), filter, null, false, false, null);
    }

    /** About who came and went. */
    public static LocalQuestion isrChanges(IsrFilter filter) {
        return new LocalQuestion(List.of(), List.of(), List.of(), null, filter, false, false, null);
    }

    /** About groups. */
    public static LocalQuestion ofGroups() {
        return new LocalQuestion(List.of(), List.of(), List.of(), null, null, true, false, null);
    }

    /** About weak acks. */
    public static LocalQuestion ofAcks() {
        return new LocalQuestion(List.of(), List.of(), List.of(), null, null, false, true, null);
    }

    /** A command, and what is held after it. */
    public static LocalQuestion step(StepCommand command) {
        return new LocalQuestion(List.of(), List.of(), List.of(), null, null, false, false, command);
    }
}
