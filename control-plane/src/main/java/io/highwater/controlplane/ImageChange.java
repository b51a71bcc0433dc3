package io.highwater.controlplane;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.config.ConfigResource;

/**
 * The step from one image to the next. The first that a listener gets leads from the empty image to everything there is.
 *
 * @param before the image that held until then
 * @param after the image that holds now; {@link ControlPlane#image()} answers it already
 * @param deletedTopics with their last partitions; a topic deleted and created again under the same name is here with its old id
 *     and among the changes with its new one
 * @param changedPartitions created or changed, in no particular order
 * @param changedConfigs whose own entries changed; an empty resource name stands for the default of all brokers
 * @param changedBrokers registered, unregistered, fenced, unfenced or otherwise changed
 * @param featuresChanged whether a finalized feature level moved
 * @param quotasChanged whether any client quota changed
 */
public record ImageChange(
        ClusterImage before,
        ClusterImage after,
        List<TopicView> deletedTopics,
        Collection<PartitionChange> changedPartitions,
        Set<ConfigResource> changedConfigs,
        Set<Integer> changedBrokers,
        boolean featuresChanged,
        boolean quotasChanged) {

    /** Whether only the offset moved. Listeners are not told of such a step. */
    public boolean isEmpty() {
        return deletedTopics.isEmpty()
                && changedPartitions.isEmpty()
                && changedConfigs.isEmpty()
                && changedBrokers.isEmpty()
                && !featuresChanged
                && !quotasChanged;
    }
}
