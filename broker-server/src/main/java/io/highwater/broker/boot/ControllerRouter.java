package io.highwater.broker.boot;

import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.api.BrokerVersions;
import io.highwater.broker.api.Client;
import io.highwater.broker.api.RequestRouter;
import io.highwater.controlplane.Caller;
import io.highwater.controlplane.ControlPlane;
import io.highwater.wire.api.ApiSupport;
import io.highwater.wire.api.ListenerRole;
import io.vertx.core.Future;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.RequestHeader;
import org.jspecify.annotations.Nullable;

/** The router of controller listeners: whatever may be asked there goes to the control plane. */
final class ControllerRouter {
    private ControllerRouter() {}

    /** @param heartbeats told of each BrokerHeartbeat, on the connection's event loop */
    static RequestRouter of(
            ControlPlane controlPlane, Supplier<BrokerVersions> versions, Consumer<ApiRequest> heartbeats) {
        RequestRouter.Builder router = RequestRouter.builder(ListenerRole.CONTROLLER);
        for (ApiKeys api : ApiSupport.known(ListenerRole.CONTROLLER)) {
            if (api != ApiKeys.API_VERSIONS) {
                add(router, api, controlPlane, api == ApiKeys.BROKER_HEARTBEAT ? heartbeats : request -> {});
            }
        }
        return router.build(versions);
    }

    private static void add(
            RequestRouter.Builder router, ApiKeys api, ControlPlane controlPlane, Consumer<ApiRequest> witness) {
        Class<? extends ApiMessage> bodyType = api.messageType.newRequest().getClass();
        router.handle(api, bodyType, (request, body) -> {
            witness.accept(request);
            return answer(controlPlane, request);
        });
    }

    private static Future<@Nullable ApiMessage> answer(ControlPlane controlPlane, ApiRequest request) {
        return Future.fromCompletionStage(
                        controlPlane.handleControllerRequest(header(request), request.body(), caller(request.client())))
                .map(answer -> answer);
    }

    private static RequestHeader header(ApiRequest request) {
        RequestHeaderData data = request.header();
        return new RequestHeader(data, request.api().requestHeaderVersion(data.requestApiVersion()));
    }

    private static Caller caller(Client client) {
        return new Caller(
                client.principal(),
                client.address().getAddress(),
                client.listener().value(),
                client.securityProtocol());
    }
}
