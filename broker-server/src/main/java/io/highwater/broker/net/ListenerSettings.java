package io.highwater.broker.net;

import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/**
 * One listener.
 *
 * @param name as in {@code listeners}
 * @param securityProtocol its entry in {@code listener.security.protocol.map}
 * @param host to bind to; empty for all addresses
 * @param port to bind to; 0 for any free one
 * @param privileged whether brokers talk to each other, or to controllers, on it
 */
public record ListenerSettings(
        ListenerName name, SecurityProtocol securityProtocol, String host, int port, boolean privileged) {

    /** How to name it in a message: {@code PLAINTEXT 127.0.0.1:9092}. */
    @Override
    public String toString() {
        return name.value() + " " + host + ":" + port;
    }
}
