package io.highwater.broker.boot;

import io.highwater.broker.partition.ControllerRequests;
import io.highwater.controlplane.ControlPlane;
import io.highwater.controlplane.InSyncReplicasAnswer;
import io.highwater.replication.InSyncReplicasProposal;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.apache.kafka.common.Uuid;

/**
 * Takes what partitions ask of the controller to the control plane.
 *
 * @param directoryFailureTimeoutMs {@code log.dir.failure.timeout.ms}
 */
record ControllerLink(ControlPlane controlPlane, LongSupplier directoryFailureTimeoutMs) implements ControllerRequests {
    @Override
    public CompletionStage<InSyncReplicasAnswer> propose(Uuid topicId, int index, InSyncReplicasProposal proposal) {
        return controlPlane.alterPartition(new io.highwater.controlplane.InSyncReplicasProposal(
                topicId,
                index,
                proposal.leaderEpoch(),
                proposal.partitionEpoch(),
                proposal.members().stream()
                        .map(member -> new io.highwater.controlplane.InSyncReplicasProposal.Member(
                                member.replicaId(), member.brokerEpoch()))
                        .toList()));
    }

    @Override
    public void assignDirectory(Uuid topicId, int index, Uuid directoryId) {
        // Repeated inside until the controller has it; there is nothing to do when it has.
        var unused = controlPlane.assignReplicaToDirectory(topicId, index, directoryId);
    }

    @Override
    public void directoryFailed(Uuid directoryId) {
        controlPlane.lifecycle().directoryFailed(directoryId, directoryFailureTimeoutMs.getAsLong());
    }
}
