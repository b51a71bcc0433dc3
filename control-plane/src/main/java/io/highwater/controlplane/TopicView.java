package io.highwater.controlplane;

import java.util.List;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * One topic. Immutable.
 *
 * @param name its name
 * @param id its id: a topic that is deleted and created again has another
 * @param partitions by index
 */
public record TopicView(String name, Uuid id, List<PartitionView> partitions) {
    public TopicView {
        partitions = List.copyOf(partitions);
    }

    /** The partition with that index, or null. */
    public @Nullable PartitionView partition(int index) {
        return index < 0 || index >= partitions.size() ? null : partitions.get(index);
    }
}
