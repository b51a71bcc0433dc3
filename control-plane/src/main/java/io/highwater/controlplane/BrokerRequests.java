package io.highwater.controlplane;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.message.AllocateProducerIdsRequestData;
import org.apache.kafka.common.message.AlterPartitionRequestData;
import org.apache.kafka.common.message.AssignReplicasToDirsRequestData;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerHeartbeatResponseData;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.message.BrokerRegistrationResponseData;
import org.apache.kafka.common.message.ControllerRegistrationRequestData;
import org.apache.kafka.common.message.ControllerRegistrationResponseData;
import org.apache.kafka.common.message.UnregisterBrokerRequestData;
import org.apache.kafka.common.message.UnregisterBrokerResponseData;
import org.apache.kafka.common.message.UnregisterControllerRequestData;
import org.apache.kafka.common.message.UnregisterControllerResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.controller.Controller;

/** What brokers and controllers ask for themselves: registration, heartbeat, ISR changes, directories, producer ids. */
final class BrokerRequests {
    private final Controller controller;
    private final int heartbeatIntervalMs;

    BrokerRequests(Controller controller, int heartbeatIntervalMs) {
        this.controller = controller;
        this.heartbeatIntervalMs = heartbeatIntervalMs;
    }

    void addTo(Map<ApiKeys, ControllerApi> apis) {
        apis.put(ApiKeys.BROKER_REGISTRATION, this::register);
        apis.put(ApiKeys.BROKER_HEARTBEAT, this::heartbeat);
        apis.put(
                ApiKeys.ALTER_PARTITION,
                call -> controller.alterPartition(call.context(), call.body(AlterPartitionRequestData.class)));
        apis.put(
                ApiKeys.ASSIGN_REPLICAS_TO_DIRS,
                call -> controller.assignReplicasToDirs(
                        call.context(), call.body(AssignReplicasToDirsRequestData.class)));
        apis.put(
                ApiKeys.ALLOCATE_PRODUCER_IDS,
                call -> controller.allocateProducerIds(
                        call.context(), call.body(AllocateProducerIdsRequestData.class)));
        apis.put(
                ApiKeys.UNREGISTER_BROKER,
                call -> controller
                        .unregisterBroker(
                                call.context(),
                                call.body(UnregisterBrokerRequestData.class).brokerId())
                        .thenApply(done -> new UnregisterBrokerResponseData()));
        apis.put(
                ApiKeys.CONTROLLER_REGISTRATION,
                call -> controller
                        .registerController(call.context(), call.body(ControllerRegistrationRequestData.class))
                        .thenApply(done -> new ControllerRegistrationResponseData()));
        apis.put(
                ApiKeys.UNREGISTER_CONTROLLER,
                call -> controller
                        .unregisterController(
                                call.context(),
                                call.body(UnregisterControllerRequestData.class).controllerId())
                        .thenApply(done -> new UnregisterControllerResponseData()));
    }

    private CompletionStage<BrokerRegistrationResponseData> register(ControllerCall call) {
        return controller
                .registerBroker(call.context(), call.body(BrokerRegistrationRequestData.class))
                .thenApply(reply -> new BrokerRegistrationResponseData().setBrokerEpoch(reply.epoch()));
    }

    private CompletionStage<BrokerHeartbeatResponseData> heartbeat(ControllerCall call) {
        // A heartbeat that waited for half its interval is stale: the broker sends another.
        return controller
                .processBrokerHeartbeat(
                        call.context(heartbeatIntervalMs / 2), call.body(BrokerHeartbeatRequestData.class))
                .thenApply(reply -> new BrokerHeartbeatResponseData()
                        .setIsCaughtUp(reply.isCaughtUp())
                        .setIsFenced(reply.isFenced())
                        .setShouldShutDown(reply.shouldShutDown()));
    }
}
