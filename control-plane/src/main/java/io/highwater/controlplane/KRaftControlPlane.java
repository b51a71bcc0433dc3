package io.highwater.controlplane;

import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.RequestHeader;

/** The control plane on Kafka's library. */
final class KRaftControlPlane implements ControlPlane {
    KRaftControlPlane(NodeSettings settings, NodeIdentity identity, FatalFaults fatalFaults) {}

    @Override
    public void start() {
        throw notRunning();
    }

    @Override
    public ClusterImage image() {
        return ClusterImage.empty();
    }

    @Override
    public CompletionStage<Void> listen(ImageListener listener) {
        return refused();
    }

    @Override
    public OptionalInt controllerId() {
        return OptionalInt.empty();
    }

    @Override
    public boolean isActiveController() {
        return false;
    }

    @Override
    public CompletionStage<ApiMessage> handleControllerRequest(RequestHeader header, ApiMessage body, Caller caller) {
        return refused();
    }

    @Override
    public CompletionStage<ApiMessage> forward(RequestHeader header, ApiMessage body, Caller caller) {
        return refused();
    }

    @Override
    public BrokerLifecycle lifecycle() {
        throw new IllegalStateException("not a broker");
    }

    @Override
    public CompletionStage<ProducerIdBlock> allocateProducerIds() {
        return refused();
    }

    @Override
    public CompletionStage<InSyncReplicasAnswer> alterPartition(InSyncReplicasProposal proposal) {
        return refused();
    }

    @Override
    public CompletionStage<Void> assignReplicaToDirectory(Uuid topicId, int partition, Uuid directoryId) {
        return refused();
    }

    @Override
    public void leaveQuorum() {}

    @Override
    public void close() {}

    private static <T> CompletionStage<T> refused() {
        return CompletableFuture.failedFuture(notRunning());
    }

    private static ControlPlaneException notRunning() {
        return new ControlPlaneException(ControlPlaneException.Reason.NOT_RUNNING, "the control plane is not running");
    }
}
