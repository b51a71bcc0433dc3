package io.highwater.broker.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Groups of all coordinators that answered.
 *
 * @param more whether there are more groups or partitions, or may be: a coordinator tells no more than its own bound
 * @param groups by id
 */
public record GroupsReport(boolean more, List<GroupState> groups) {
    /**
     * One group.
     *
     * @param id its name
     * @param type classic, consumer, ...
     * @param state as Kafka names it
     * @param members how many, -1 if that is not known
     * @param coordinator the broker that has it
     * @param lag of all partitions whose lag is known; never negative
     * @param partitions by topic and index
     */
    public record GroupState(
            String id, String type, String state, int members, int coordinator, long lag, List<GroupLag> partitions) {}

    /**
     * How far a group has come in one partition.
     *
     * @param topic its topic
     * @param partition its index
     * @param committed what the group reads next
     * @param highWatermark the leader's, -1 if it did not answer
     * @param lag how many committed records it has not read, never negative; null if it is not known
     */
    public record GroupLag(
            String topic,
            int partition,
            long committed,
            long highWatermark,
            @Nullable Long lag) {}
}
