package io.highwater.controlplane;

import java.net.InetAddress;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/**
 * Who sent a request, as the connection knows it.
 *
 * @param principal the authenticated principal, or {@link KafkaPrincipal#ANONYMOUS}
 * @param clientAddress where the connection comes from
 * @param listenerName the listener that accepted it
 * @param securityProtocol that listener's protocol
 */
public record Caller(
        KafkaPrincipal principal, InetAddress clientAddress, String listenerName, SecurityProtocol securityProtocol) {

    /** This process itself, for requests that no client asked for (auto-created topics, producer ids). */
    public static Caller self() {
        return new Caller(
                KafkaPrincipal.ANONYMOUS,
                InetAddress.getLoopbackAddress(),
                SecurityProtocol.PLAINTEXT.name,
                SecurityProtocol.PLAINTEXT);
    }
}
