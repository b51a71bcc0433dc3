package io.highwater.broker.api;

import io.vertx.core.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/** Makes requests as handlers get them. */
public final class Requests {
    private Requests() {}

    /** A request of a client of the listener PLAINTEXT. */
    public static ApiRequest request(ApiKeys api, int version, ApiMessage body) {
        return request(api, version, body, "PLAINTEXT");
    }

    /** A request of a client of that listener. */
    public static ApiRequest request(ApiKeys api, int version, ApiMessage body, String listener) {
        RequestHeaderData header = new RequestHeaderData()
                .setRequestApiKey(api.id)
                .setRequestApiVersion((short) version)
                .setCorrelationId(1)
                .setClientId("test");
        Client client = new Client(
                "1",
                new ListenerName(listener),
                SecurityProtocol.PLAINTEXT,
                false,
                KafkaPrincipal.ANONYMOUS,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                Promise.<Void>promise().future());
        return new ApiRequest(api, header, body, 0, client, 0, () -> {});
    }
}
