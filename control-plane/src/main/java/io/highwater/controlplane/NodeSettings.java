package io.highwater.controlplane;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.jspecify.annotations.Nullable;

/**
 * What the control plane must know about its node before it looks at the disk. Immutable.
 *
 * @param nodeId {@code node.id}
 * @param roles {@code process.roles}
 * @param logDirectories {@code log.dirs}
 * @param metadataLogDirectory {@code metadata.log.dir}, by default the first log directory
 * @param brokerEndpoints what this broker registers: each listener but the controller's, with its advertised address; empty for a node
 *     that is no broker
 * @param controllerEndpoints what this controller registers: its controller listeners with their advertised address; empty for a node that
 *     is no controller
 * @param controllerListenerNames {@code controller.listener.names}; the first is the one this node calls controllers on
 * @param controllerProtocol the security protocol of that first listener
 * @param rack {@code broker.rack}, or null
 * @param properties the static configuration under Kafka's names; quorum addresses, timeouts and defaults of topics are read from it
 */
public record NodeSettings(
        int nodeId,
        Set<Role> roles,
        List<Path> logDirectories,
        Path metadataLogDirectory,
        List<Endpoint> brokerEndpoints,
        List<Endpoint> controllerEndpoints,
        List<String> controllerListenerNames,
        SecurityProtocol controllerProtocol,
        @Nullable String rack,
        Map<String, String> properties) {

    public NodeSettings {
        roles = Set.copyOf(roles);
        logDirectories = logDirectories.stream().map(NodeSettings::absolute).toList();
        metadataLogDirectory = absolute(metadataLogDirectory);
        brokerEndpoints = List.copyOf(brokerEndpoints);
        controllerEndpoints = List.copyOf(controllerEndpoints);
        controllerListenerNames = List.copyOf(controllerListenerNames);
        properties = Map.copyOf(properties);
        require(!roles.isEmpty(), "process.roles must name broker, controller or both");
        require(!logDirectories.isEmpty(), "log.dirs must name a directory");
        require(!controllerListenerNames.isEmpty(), "controller.listener.names must name a listener");
        require(
                controllerEndpoints.isEmpty() != roles.contains(Role.CONTROLLER),
                "a controller needs an address on one of its listeners " + controllerListenerNames
                        + ", and only a controller has one");
        require(
                brokerEndpoints.isEmpty() != roles.contains(Role.BROKER),
                "a broker needs a listener besides " + controllerListenerNames + ", and only a broker has one");
    }

    /** Begins with what every node needs. */
    public static Builder node(int nodeId, Role... roles) {
        return new Builder(nodeId, Set.of(roles));
    }

    boolean isController() {
        return roles.contains(Role.CONTROLLER);
    }

    boolean isBroker() {
        return roles.contains(Role.BROKER);
    }

    /** The endpoint on which other controllers reach this one. */
    Optional<Endpoint> quorumEndpoint() {
        return controllerEndpoints.stream()
                .filter(endpoint -> endpoint.listener().equals(controllerListenerNames.get(0)))
                .findFirst();
    }

    /** Every directory with a {@code meta.properties}: the log directories and the one of the metadata log. */
    Set<Path> allDirectories() {
        Set<Path> all = new LinkedHashSet<>(logDirectories);
        all.add(metadataLogDirectory);
        return all;
    }

    private static Path absolute(Path path) {
        return path.toAbsolutePath().normalize();
    }

    private static void require(boolean holds, String sentence) {
        if (!holds) {
            throw new ControlPlaneException(ControlPlaneException.Reason.BAD_SETTING, sentence);
        }
    }

    /** Collects the settings of one node; not thread-safe. */
    public static final class Builder {
        private final int nodeId;
        private final Set<Role> roles;
        private final List<Path> logDirectories = new ArrayList<>();
        private @Nullable Path metadataLogDirectory;
        private final List<Endpoint> brokerEndpoints = new ArrayList<>();
        private final List<Endpoint> controllerEndpoints = new ArrayList<>();
        private List<String> controllerListenerNames = List.of("CONTROLLER");
        private SecurityProtocol controllerProtocol = SecurityProtocol.PLAINTEXT;
        private @Nullable String rack;
        private Map<String, String> properties = Map.of();

        private Builder(int nodeId, Set<Role> roles) {
            this.nodeId = nodeId;
            this.roles = roles;
        }

        /** Adds log directories. */
        public Builder logDirectories(Path... paths) {
            logDirectories.addAll(List.of(paths));
            return this;
        }

        /** Sets the metadata log's directory; without it the first log directory. */
        public Builder metadataLogDirectory(Path path) {
            metadataLogDirectory = path;
            return this;
        }

        /** Adds a listener that this broker registers, with its advertised address. */
        public Builder brokerEndpoint(Endpoint endpoint) {
            brokerEndpoints.add(endpoint);
            return this;
        }

        /** Adds a controller listener of this node, with its advertised address. */
        public Builder controllerEndpoint(Endpoint endpoint) {
            controllerEndpoints.add(endpoint);
            return this;
        }

        /** Sets the names of controller listeners; without it {@code CONTROLLER}. */
        public Builder controllerListenerNames(List<String> names) {
            controllerListenerNames = names;
            return this;
        }

        /** Sets the protocol for calling controllers; without it plaintext. */
        public Builder controllerProtocol(SecurityProtocol protocol) {
            controllerProtocol = protocol;
            return this;
        }

        /** Sets the rack. */
        public Builder rack(@Nullable String name) {
            rack = name;
            return this;
        }

        /** Sets the static configuration under Kafka's names. */
        public Builder properties(Map<String, String> staticConfig) {
            properties = staticConfig;
            return this;
        }

        /** Checks and freezes. Throws {@link ControlPlaneException} when something is missing or contradicts itself. */
        public NodeSettings build() {
            require(!logDirectories.isEmpty(), "log.dirs must name a directory");
            Path metadata = metadataLogDirectory == null ? logDirectories.get(0) : metadataLogDirectory;
            return new NodeSettings(
                    nodeId,
                    roles,
                    logDirectories,
                    metadata,
                    brokerEndpoints,
                    controllerEndpoints,
                    controllerListenerNames,
                    controllerProtocol,
                    rack,
                    properties);
        }
    }
}
