package io.highwater.broker.api.cluster;

import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.api.Client;
import io.highwater.controlplane.Caller;
import io.highwater.controlplane.ControlPlane;
import io.vertx.core.Future;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.RequestHeader;

/** Sends clients' requests on to the active controller. Any thread. */
public final class Forwarding {
    private final ControlPlane controlPlane;

    /** Forwards through this control plane. */
    public Forwarding(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
    }

    /**
     * Asks the controller on behalf of the client.
     *
     * @param request the client's own
     * @param body what to ask: the request's body, or what is left of it
     * @return the controller's answer, or the API's own answer with REQUEST_TIMED_OUT when there is no controller for too long;
     *     fails if the controller does not know this version of the API
     */
    public Future<ApiMessage> forward(ApiRequest request, ApiMessage body) {
        RequestHeader header =
                new RequestHeader(request.header(), request.api().requestHeaderVersion(request.version()));
        return asFuture(controlPlane.forward(header, body, callerOf(request.client())));
    }

    /** The client in the control plane's terms. */
    static Caller callerOf(Client client) {
        return new Caller(
                client.principal(),
                client.address().getAddress(),
                client.listener().value(),
                client.securityProtocol());
    }

    static Future<ApiMessage> asFuture(CompletionStage<ApiMessage> stage) {
        return Future.fromCompletionStage(stage);
    }
}
