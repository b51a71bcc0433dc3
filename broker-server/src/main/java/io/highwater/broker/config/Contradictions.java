package io.highwater.broker.config;

/** Refuses settings that are each allowed but not together, with Kafka's meaning. */
final class Contradictions {
    private Contradictions() {}

    /** Throws for the first contradiction found. */
    static void refuse(BrokerConfig config) {
        Listeners.requireDistinctPorts(config.listeners());
    }
}
