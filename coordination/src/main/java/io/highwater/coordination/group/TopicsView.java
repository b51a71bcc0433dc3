package io.highwater.coordination.group;

import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * What group assignment wants to know about the cluster: which topics exist, with how many partitions, on racks of which brokers. One view is
 * one moment: its answers never change. Implemented by the broker over its metadata; read on the coordinator's metadata thread.
 */
public interface TopicsView {

    /** Ids of all topics at this moment. Asked once, when the coordinator starts; later changes are named one by one. */
    Collection<Uuid> topicIds();

    /** The topic with this id at this moment, or null. */
    @Nullable
    TopicShape topic(Uuid id);

    /** The rack of a broker ({@code broker.rack}), or null if it is unknown or has none. */
    @Nullable
    String rackOf(int brokerId);

    /** Registered brokers, live or not: those to ask {@link #rackOf} for. */
    Collection<Integer> brokers();

    /** Grows with every moment: the offset in the metadata log. */
    long version();

    /**
     * One topic.
     *
     * @param replicas for each partition number, from 0 without gap, the brokers it is assigned to
     */
    record TopicShape(Uuid id, String name, List<List<Integer>> replicas) {
        /** How many partitions the topic has. */
        public int partitionCount() {
            return replicas.size();
        }
    }
}
