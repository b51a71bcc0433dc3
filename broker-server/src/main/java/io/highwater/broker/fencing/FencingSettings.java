package io.highwater.broker.fencing;

import io.highwater.broker.config.BrokerConfig;

/**
 * How early brokers are fenced.
 *
 * @param nodeId this node, which never suspects itself
 * @param listener {@code inter.broker.listener.name}: where brokers are tried
 * @param graceMs {@code highwater.controller.disconnect.grace.ms}: between the two refusals that it takes; negative for off
 * @param heartbeatIntervalMs {@code broker.heartbeat.interval.ms}
 * @param sessionTimeoutMs {@code broker.session.timeout.ms}
 */
public record FencingSettings(
        int nodeId, String listener, long graceMs, long heartbeatIntervalMs, long sessionTimeoutMs) {
    /** As configured. */
    public static FencingSettings of(BrokerConfig config) {
        return new FencingSettings(
                config.nodeId(),
                config.interBrokerListenerName(),
                config.getLong("highwater.controller.disconnect.grace.ms"),
                config.getInt("broker.heartbeat.interval.ms"),
                config.getInt("broker.session.timeout.ms"));
    }

    /** Whether anybody is fenced before the session ends. */
    public boolean fencesEarly() {
        return graceMs >= 0;
    }

    /** A broker that was not heard for longer is looked at. */
    long silenceMs() {
        return heartbeatIntervalMs + heartbeatIntervalMs / 2;
    }
}
