package io.highwater.broker.config;

import java.util.HashMap;
import java.util.Map;

/** What holds when nothing was said. */
final class Defaults {
    /**
     * Without a file: one node that is broker and controller, on loopback, with its data in the working directory, and internal
     * topics of one replica.
     */
    static final Map<String, String> SINGLE_NODE = Map.ofEntries(
            Map.entry("process.roles", "broker,controller"),
            Map.entry("node.id", "1"),
            Map.entry("listeners", "PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093"),
            Map.entry("controller.listener.names", "CONTROLLER"),
            Map.entry("controller.quorum.bootstrap.servers", "127.0.0.1:9093"),
            Map.entry("log.dirs", "./highwater-data"),
            Map.entry("offsets.topic.replication.factor", "1"),
            Map.entry("transaction.state.log.replication.factor", "1"),
            Map.entry("transaction.state.log.min.isr", "1"),
            Map.entry("share.coordinator.state.topic.replication.factor", "1"),
            Map.entry("share.coordinator.state.topic.min.isr", "1"));

    private Defaults() {}

    /** {@link #SINGLE_NODE} under what was said. The node looks for its quorum where its own controller listens. */
    static Map<String, String> singleNode(Map<String, String> said) {
        Map<String, String> all = new HashMap<>(SINGLE_NODE);
        all.putAll(said);
        if (!said.containsKey(Quorum.BOOTSTRAP_SERVERS) && !said.containsKey(Quorum.VOTERS)) {
            String prefix = all.getOrDefault("controller.listener.names", "").trim() + "://";
            for (String listener : all.getOrDefault("listeners", "").split(",", -1)) {
                String trimmed = listener.trim();
                if (trimmed.startsWith(prefix)) {
                    String address = trimmed.substring(prefix.length());
                    all.put(Quorum.BOOTSTRAP_SERVERS, address.startsWith(":") ? "localhost" + address : address);
                }
            }
        }
        return all;
    }

    /** {@code broker.id} and {@code node.id} are one setting under two names. */
    static Map<String, String> withSynonyms(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        String nodeId = settings.get("node.id");
        String brokerId = settings.get("broker.id");
        if (brokerId == null && nodeId != null) {
            all.put("broker.id", nodeId);
        } else if (nodeId == null && brokerId != null) {
            all.put("node.id", brokerId);
        }
        return all;
    }
}
