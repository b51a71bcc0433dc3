package io.highwater.broker.api;

import io.vertx.core.Future;
import java.net.InetSocketAddress;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/**
 * Who asks: what is the same for all requests of one connection.
 *
 * @param connectionId unique among the connections of this process since its start
 * @param listener the listener it connected to
 * @param securityProtocol of that listener
 * @param privileged whether the listener is the one that brokers use among themselves, or a controller listener
 * @param principal who the client has shown to be; anonymous on a listener without authentication
 * @param address where it connected from
 * @param closed completes when the connection has ended, on its event loop
 */
public record Client(
        String connectionId,
        ListenerName listener,
        SecurityProtocol securityProtocol,
        boolean privileged,
        KafkaPrincipal principal,
        InetSocketAddress address,
        Future<Void> closed) {}
