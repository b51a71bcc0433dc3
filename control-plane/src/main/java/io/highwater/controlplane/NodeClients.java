package io.highwater.controlplane;

import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.BootstrapConfiguration;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.MetadataRecoveryStrategy;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ChannelBuilders;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.network.Selectable;
import org.apache.kafka.common.network.Selector;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;

/** Makes the clients by which a node calls controllers. */
final class NodeClients {
    private static final int RECONNECT_BACKOFF_MS = 20;
    private static final int RECONNECT_BACKOFF_MAX_MS = 500;
    private static final long MAX_IDLE_MS = 600_000;

    private final NodeSettings settings;
    private final StaticConfig config;
    private final Metrics metrics;
    private final Detour detour;
    private final Faults faults;
    private final Absentees absentees = new Absentees();

    NodeClients(NodeSettings settings, StaticConfig config, Metrics metrics, Detour detour, Faults faults) {
        this.settings = settings;
        this.config = config;
        this.metrics = metrics;
        this.detour = detour;
        this.faults = faults;
    }

    /**
     * A client that calls controllers on the first controller listener.
     *
     * @param purpose one word for thread, client id and metrics
     * @param inFlight how many requests may be on one connection at once; they are answered in order
     */
    NodeClient client(String purpose, int inFlight, int requestTimeoutMs) {
        String name = "highwater-" + settings.nodeId() + "-" + purpose;
        LogContext logContext = new LogContext("[" + name + "] ");
        Selector selector = new Selector(
                NetworkReceive.UNLIMITED,
                MAX_IDLE_MS,
                metrics,
                Time.SYSTEM,
                purpose + "-channel",
                java.util.Map.of(),
                false,
                ChannelBuilders.clientChannelBuilder(
                        settings.controllerProtocol(),
                        JaasContext.Type.SERVER,
                        config.values(),
                        new ListenerName(settings.controllerListenerNames().get(0)),
                        config.saslMechanism(),
                        Time.SYSTEM,
                        logContext),
                logContext);
        NetworkClient network = new NetworkClient(
                (Selectable) selector,
                new ManualMetadataUpdater(),
                name,
                inFlight,
                RECONNECT_BACKOFF_MS,
                RECONNECT_BACKOFF_MAX_MS,
                Selectable.USE_DEFAULT_BUFFER_SIZE,
                Selectable.USE_DEFAULT_BUFFER_SIZE,
                requestTimeoutMs,
                config.connectionSetupTimeoutMs(),
                config.connectionSetupTimeoutMaxMs(),
                Time.SYSTEM,
                true,
                new ApiVersions(),
                logContext,
                MetadataRecoveryStrategy.NONE,
                BootstrapConfiguration.DISABLED,
                false);
        return new NodeClient(name, network, detour, absentees, requestTimeoutMs, faults.fatal("calls of controllers"));
    }
}
