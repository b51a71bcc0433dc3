package io.highwater.broker.partition;

import io.highwater.controlplane.InSyncReplicasAnswer;
import io.highwater.replication.InSyncReplicasProposal;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Uuid;

/** What partitions ask of the controller. Answers come on any thread. */
public interface ControllerRequests {
    /** Asks for other in-sync replicas; repeated without end while no controller answers. */
    CompletionStage<InSyncReplicasAnswer> propose(Uuid topicId, int index, InSyncReplicasProposal proposal);

    /** Says in which directory this broker holds a replica. */
    void assignDirectory(Uuid topicId, int index, Uuid directoryId);

    /** Says that a directory cannot be used any more, so that leaders on it move. */
    void directoryFailed(Uuid directoryId);
}
