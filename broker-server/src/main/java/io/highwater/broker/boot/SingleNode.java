package io.highwater.broker.boot;

import java.util.Map;

/**
 * How a broker is set when nobody says anything: controller and broker in one process, reachable from this machine only, data
 * beside the working directory, one replica of everything.
 */
final class SingleNode {
    static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("process.roles", "broker,controller"),
            Map.entry("node.id", "1"),
            Map.entry("listeners", "PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093"),
            Map.entry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"),
            Map.entry("controller.listener.names", "CONTROLLER"),
            Map.entry("controller.quorum.bootstrap.servers", "127.0.0.1:9093"),
            Map.entry("log.dirs", "highwater-data"),
            Map.entry("offsets.topic.replication.factor", "1"),
            Map.entry("transaction.state.log.replication.factor", "1"),
            Map.entry("transaction.state.log.min.isr", "1"),
            Map.entry("share.coordinator.state.topic.replication.factor", "1"),
            Map.entry("share.coordinator.state.topic.min.isr", "1"),
            // A first group is not kept waiting for members that may not exist.
            Map.entry("group.initial.rebalance.delay.ms", "0"));

    private SingleNode() {}
}
