package io.highwater.broker.partition;

import io.highwater.controlplane.PartitionView;
import java.util.List;

/**
 * What the controller says of a partition that its rules of replication need not know, but people want to.
 *
 * @param adding those of its replicas that a reassignment adds
 * @param reassigning whether one is under way
 * @param preferredLeader the first of the assignment, -1 before the first image
 */
record Assignment(List<Integer> adding, boolean reassigning, int preferredLeader) {
    static final Assignment NONE = new Assignment(List.of(), false, -1);

    static Assignment of(PartitionView view) {
        return new Assignment(
                view.addingReplicas(),
                !view.addingReplicas().isEmpty() || !view.removingReplicas().isEmpty(),
                view.replicas().isEmpty() ? -1 : view.replicas().get(0));
    }
}
