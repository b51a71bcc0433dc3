package io.highwater.broker.api;

import io.highwater.controlplane.BrokerLifecycle;
import io.highwater.controlplane.Caller;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.ControlPlane;
import io.highwater.controlplane.ImageListener;
import io.highwater.controlplane.InSyncReplicasAnswer;
import io.highwater.controlplane.InSyncReplicasProposal;
import io.highwater.controlplane.ProducerIdBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.RequestHeader;

/** A control plane with a given image, whose controller answers what the test says. */
public final class FakeControlPlane implements ControlPlane {
    /** What was forwarded, in order. */
    public final List<ApiMessage> forwarded = new ArrayList<>();

    /** On whose behalf. */
    public final List<Caller> callers = new ArrayList<>();

    /** The image. */
    public volatile ClusterImage image;

    /** The controller's answer to the next request; completes when the test says. */
    public CompletableFuture<ApiMessage> answer = new CompletableFuture<>();

    /** Starts with that image. */
    public FakeControlPlane(ClusterImage image) {
        this.image = image;
    }

    @Override
    public ClusterImage image() {
        return image;
    }

    @Override
    public CompletionStage<ApiMessage> forward(RequestHeader header, ApiMessage body, Caller caller) {
        forwarded.add(body);
        callers.add(caller);
        return answer;
    }

    @Override
    public void start() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Void> listen(ImageListener listener) {
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Void> fence(int brokerId, long brokerEpoch) {
        throw new UnsupportedOperationException();
    }

    @Override
    public BrokerLifecycle lifecycle() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<ProducerIdBlock> allocateProducerIds() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<InSyncReplicasAnswer> alterPartition(InSyncReplicasProposal proposal) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Void> assignReplicaToDirectory(Uuid topicId, int partition, Uuid directoryId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void leaveQuorum() {}

    @Override
    public void abandonQuorum() {}

    @Override
    public void close() {}
}
