package io.highwater.controlplane;

import java.util.List;
import org.apache.kafka.common.protocol.Errors;

/**
 * The controller's answer to an {@link InSyncReplicasProposal}. The fields behind {@code error} hold only if it is
 * {@link Errors#NONE}.
 *
 * @param error what the controller says about this partition
 * @param leader the leader that holds now
 * @param leaderEpoch its reign
 * @param partitionEpoch the new version of the ISR
 * @param inSyncReplicas the agreed ISR
 * @param recovering whether the leader still counts as recovering
 */
public record InSyncReplicasAnswer(
        Errors error,
        int leader,
        int leaderEpoch,
        int partitionEpoch,
        List<Integer> inSyncReplicas,
        boolean recovering) {

    public InSyncReplicasAnswer {
        inSyncReplicas = List.copyOf(inSyncReplicas);
    }

    static InSyncReplicasAnswer refused(Errors error) {
        return new InSyncReplicasAnswer(error, PartitionView.NO_LEADER, -1, -1, List.of(), false);
    }
}
