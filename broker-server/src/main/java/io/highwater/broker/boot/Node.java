package io.highwater.broker.boot;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.ListenerEndpoint;
import io.highwater.controlplane.NodeSettings;
import io.highwater.controlplane.Role;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/** Tells the control plane about this node, in its terms. */
final class Node {
    private static final String BOOTSTRAP_SERVERS = "controller.quorum.bootstrap.servers";

    private Node() {}

    /** As configured: ports that the system picks are still 0. */
    static NodeSettings settings(BrokerConfig config) {
        return settings(config, Map.of());
    }

    /**
     * As configured, with the ports that are held.
     *
     * @param ports by listener name; a listener that is not in it keeps its configured port
     */
    static NodeSettings settings(BrokerConfig config, Map<String, Integer> ports) {
        NodeSettings.Builder node = NodeSettings.node(config.nodeId(), roles(config))
                .logDirectories(config.logDirs().toArray(Path[]::new))
                .metadataLogDirectory(config.metadataLogDir())
                .controllerListenerNames(config.controllerListenerNames())
                .controllerProtocol(config.listenerProtocols()
                        .getOrDefault(config.controllerListenerNames().get(0), SecurityProtocol.PLAINTEXT))
                .rack(config.rack())
                .properties(properties(config, ports));
        if (config.isBroker()) {
            config.advertisedBrokerListeners().forEach(each -> node.brokerEndpoint(endpoint(each, ports)));
            config.advertisedHttp().ifPresent(each -> node.brokerEndpoint(httpEndpoint(each, ports)));
        }
        if (config.isController()) {
            config.advertisedControllerListeners().forEach(each -> node.controllerEndpoint(endpoint(each, ports)));
        }
        return node.build();
    }

    private static Role[] roles(BrokerConfig config) {
        List<Role> roles = new ArrayList<>();
        if (config.isBroker()) {
            roles.add(Role.BROKER);
        }
        if (config.isController()) {
            roles.add(Role.CONTROLLER);
        }
        return roles.toArray(Role[]::new);
    }

    /** A lone controller on a port that the system picked is its own quorum: nobody else could know where to find it. */
    private static Map<String, String> properties(BrokerConfig config, Map<String, Integer> ports) {
        Map<String, String> properties = new HashMap<>(config.fromFile());
        List<ListenerEndpoint> controllers = config.advertisedControllerListeners();
        if (config.isController()
                && config.quorumVoters().isEmpty()
                && controllers.get(0).port() == 0) {
            Endpoint own = endpoint(controllers.get(0), ports);
            properties.put(BOOTSTRAP_SERVERS, own.host() + ":" + own.port());
        }
        return properties;
    }

    private static Endpoint endpoint(ListenerEndpoint listener, Map<String, Integer> ports) {
        int port = listener.port() != 0 ? listener.port() : ports.getOrDefault(listener.name(), 0);
        String host = listener.host().isEmpty() ? ownName() : listener.host();
        return new Endpoint(listener.name(), listener.protocol(), host, port);
    }

    /** Never used by clients: they ask for listeners by the names that they know. */
    private static Endpoint httpEndpoint(ListenerEndpoint http, Map<String, Integer> ports) {
        int port = ports.getOrDefault(HeldPorts.HTTP, http.port());
        return new Endpoint(http.name(), http.protocol(), http.host().isEmpty() ? ownName() : http.host(), port);
    }

    /** What a listener on every interface is advertised as, as Kafka does it. */
    private static String ownName() {
        try {
            return InetAddress.getLocalHost().getCanonicalHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
