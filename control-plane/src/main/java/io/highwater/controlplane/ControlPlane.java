package io.highwater.controlplane;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.feature.SupportedVersionRange;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * The facade of this room. Boot uses it in this order: {@link NodeFormat} finds or makes the node's identity, {@link #create},
 * {@link #start}, open the CONTROLLER listener and the brokers' listeners, {@link BrokerLifecycle#register}, load logs when it has
 * caught up, {@link BrokerLifecycle#readyToUnfence}. And back: {@link BrokerLifecycle#beginControlledShutdown}, {@link #leaveQuorum},
 * close the CONTROLLER listener, {@link #close}.
 *
 * <p>All methods but {@code start}, {@code leaveQuorum} and {@code close} may be called from any thread and return at once. Stages
 * complete on threads of the control plane: a callback must be short or hop.
 */
public interface ControlPlane extends AutoCloseable {
    /**
     * Builds the control plane of one node; nothing runs and nothing is opened yet.
     *
     * @param settings the node's settings
     * @param identity what {@link NodeFormat} found on its disks
     * @param fatalFaults told when the control plane cannot go on
     * @throws ControlPlaneException if a setting is wrong
     */
    static ControlPlane create(NodeSettings settings, NodeIdentity identity, FatalFaults fatalFaults) {
        return create(settings, identity, fatalFaults, Detour.NONE);
    }

    /**
     * As {@link #create(NodeSettings, NodeIdentity, FatalFaults)}.
     *
     * @param detour where connections to other nodes lead
     */
    static ControlPlane create(NodeSettings settings, NodeIdentity identity, FatalFaults fatalFaults, Detour detour) {
        return new KRaftControlPlane(settings, identity, fatalFaults, detour);
    }

    /** Settings of topics and those broker settings they fall back to, by name. */
    static Map<String, ConfigDefinition> topicConfigDefinitions() {
        return ConfigDefinitions.TOPIC;
    }

    /** The feature levels that this build can run with, as brokers and controllers announce them. */
    static Map<String, SupportedVersionRange> supportedFeatures() {
        return SupportedFeatures.RANGES;
    }

    /**
     * Opens the metadata log, recovers it, and starts the quorum's client and, by role, the controller. Blocks for as long as the
     * log needs; not for a leader to be elected.
     *
     * @throws ControlPlaneException if the log cannot be opened
     */
    void start();

    /** The newest image; {@link ClusterImage#empty()} until the node has caught up with the metadata log. Never waits. */
    ClusterImage image();

    /**
     * Adds a listener, which first gets one change from the empty image to all that holds when the node has caught up.
     *
     * @return completes after that first call
     */
    CompletionStage<Void> listen(ImageListener listener);

    /** The active controller as far as this node knows. */
    OptionalInt controllerId();

    /** Whether this node is the active controller. It may lag: one that was cut off still says yes. */
    boolean isActiveController();

    /**
     * Answers a request that came in on the CONTROLLER listener, for every API that {@code ControllerListener} of Kafka 4.4 has. Requests
     * that arrive before {@link #start} has finished wait for it. Answers hold their records in memory, so they may be sent by any
     * network layer.
     *
     * @return the answer's body; fails only if the connection should be closed (an envelope that cannot be parsed, an API that
     *     does not belong here)
     */
    CompletionStage<ApiMessage> handleControllerRequest(RequestHeader header, ApiMessage body, Caller caller);

    /**
     * Has a broker fenced before its session is over: leaders move away, it leaves the in-sync replicas. The controller of this node does it as if
     * the broker had asked for it, if it is the active one and the broker has not registered anew. A broker that lives is unfenced with its
     * next heartbeat.
     *
     * @param brokerEpoch of the registration that is meant
     * @return completes when the metadata log holds it; fails with Kafka's exception if the controller refuses or this node
     *     has none
     */
    CompletionStage<Void> fence(int brokerId, long brokerEpoch);

    /**
     * Sends a client's request to the active controller inside an Envelope, looking for it again whenever it has moved.
     *
     * @param header the client's own header
     * @param body the request
     * @param caller on whose behalf
     * @return the controller's answer, or after {@code request.timeout.ms} without a controller the API's own answer with
     *     REQUEST_TIMED_OUT. Fails if the controller does not know that version of the API.
     */
    CompletionStage<ApiMessage> forward(RequestHeader header, ApiMessage body, Caller caller);

    /** As {@link #forward(RequestHeader, ApiMessage, Caller)}, for a request that this broker makes up itself. */
    default CompletionStage<ApiMessage> forward(ApiKeys api, short version, ApiMessage body, Caller caller) {
        return forward(new RequestHeader(api, version, "", 0), body, caller);
    }

    /** What the library measures: the quorum, and on controllers what they do and see. Reads clocks and counters; takes a while. */
    default Collection<Measurement> measurements() {
        return List.of();
    }

    /** This broker's standing with the controller. Throws {@link IllegalStateException} on a node that is no broker. */
    BrokerLifecycle lifecycle();

    /** Asks the controller for producer ids, until it gives them. */
    CompletionStage<ProducerIdBlock> allocateProducerIds();

    /**
     * Proposes new in-sync replicas. Proposals are sent in batches, one request at a time, and repeated without end while no
     * controller answers.
     *
     * @return the controller's answer for this partition; OPERATION_NOT_ATTEMPTED at once if a proposal for it is still waiting.
     *     Fails with {@link ControlPlaneException} when the control plane closes.
     */
    CompletionStage<InSyncReplicasAnswer> alterPartition(InSyncReplicasProposal proposal);

    /**
     * Tells the controller in which directory this broker holds a replica. Assignments are sent in batches and repeated until the
     * controller has taken them; a later one for the same replica replaces an earlier that was not sent yet.
     *
     * @return completes when the controller has taken it, or the partition is gone
     */
    CompletionStage<Void> assignReplicaToDirectory(Uuid topicId, int partition, Uuid directoryId);

    /**
     * First half of the stop: gives up leadership and stops the quorum's client while the CONTROLLER listener still answers the
     * others. Blocks, for at most two seconds.
     */
    void leaveQuorum();

    /** As {@link #leaveQuorum}, but without a word to the others, as when the process dies: {@link #close} then only cleans up. */
    void abandonQuorum();

    /** Second half: stops every thread and closes every file. Blocks. Whatever was asked and not answered fails. Idempotent. */
    @Override
    void close();
}
