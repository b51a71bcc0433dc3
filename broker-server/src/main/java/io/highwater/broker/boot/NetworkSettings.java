package io.highwater.broker.boot;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.ListenerEndpoint;
import io.highwater.broker.config.LiveConfig;
import io.highwater.broker.metrics.Metrics;
import io.highwater.broker.net.ConnectionLimits;
import io.highwater.broker.net.ListenerSettings;
import io.highwater.broker.net.MemoryBudget;
import io.highwater.broker.net.NetworkContext;
import io.highwater.broker.net.SocketSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.network.ListenerName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what the network wants to know from the configuration. */
final class NetworkSettings {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkSettings.class);
    private static final String PER_IP_OVERRIDES = "max.connections.per.ip.overrides";

    private NetworkSettings() {}

    static NetworkContext context(BrokerConfig config, Metrics metrics) {
        long memoryBytes = config.getLong("queued.max.request.bytes");
        return new NetworkContext(
                new SocketSettings(
                        config.getInt("socket.request.max.bytes"),
                        config.getInt("socket.send.buffer.bytes"),
                        config.getInt("socket.receive.buffer.bytes"),
                        config.getInt("socket.listen.backlog.size"),
                        config.getLong("connections.max.idle.ms")),
                new MemoryBudget(memoryBytes > 0 ? memoryBytes : MemoryBudget.defaultLimitBytes()),
                new ConnectionLimits(limits(config)),
                metrics.network());
    }

    /** Lets changes of the limits hold from then on. A limit that cannot be read leaves the ones before it. */
    static void follow(LiveConfig live, NetworkContext network) {
        live.onChange(now -> {
            try {
                network.connections().update(limits(now));
            } catch (StartRefusedException e) {
                LOG.warn("a dynamic setting has no effect: {}", e.getMessage());
            }
        });
    }

    /** How many connections there may be. */
    static ConnectionLimits.Limits limits(BrokerConfig config) {
        return new ConnectionLimits.Limits(
                config.getInt("max.connections"), config.getInt("max.connections.per.ip"), overrides(config));
    }

    /** A listener on the port that was held for it. */
    static ListenerSettings listener(BrokerConfig config, ListenerEndpoint listener, int port) {
        return new ListenerSettings(
                new ListenerName(listener.name()),
                listener.protocol(),
                listener.host(),
                port,
                config.isControllerListener(listener.name())
                        || listener.name().equals(config.interBrokerListenerName()));
    }

    private static Map<InetAddress, Integer> overrides(BrokerConfig config) {
        Map<InetAddress, Integer> overrides = new HashMap<>();
        String text = config.getString(PER_IP_OVERRIDES);
        for (String entry : text == null || text.isBlank() ? new String[0] : text.split(",")) {
            int colon = entry.lastIndexOf(':');
            try {
                for (InetAddress address : InetAddress.getAllByName(
                        entry.substring(0, Math.max(colon, 0)).trim())) {
                    overrides.put(
                            address, Integer.valueOf(entry.substring(colon + 1).trim()));
                }
            } catch (UnknownHostException | NumberFormatException e) {
                throw new StartRefusedException(
                        PER_IP_OVERRIDES + " has the entry " + entry + "; allowed is ADDRESS:NUMBER", e);
            }
        }
        return overrides;
    }
}
