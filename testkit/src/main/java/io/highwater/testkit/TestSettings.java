package io.highwater.testkit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The settings of the brokers of a test: Kafka's, but for what would make a test wait or need more brokers than there are. */
final class TestSettings {
    private static final int MOST_REPLICAS = 3;
    private static final String FIRST_ELECTION_MS = "50";
    private static final String ELECTION_MS = "200";

    private TestSettings() {}

    /** What all brokers of a cluster of {@code brokers} have in common, unless {@code given} says otherwise. */
    static Map<String, String> common(int brokers, Map<String, String> given) {
        Map<String, String> settings = new HashMap<>();
        String replicas = Integer.toString(Math.min(MOST_REPLICAS, brokers));
        String minInSync = brokers == 1 ? "1" : "2";
        settings.put("process.roles", "broker,controller");
        settings.put("controller.listener.names", TestBroker.CONTROLLER);
        settings.put("offsets.topic.replication.factor", replicas);
        settings.put("transaction.state.log.replication.factor", replicas);
        settings.put("transaction.state.log.min.isr", minInSync);
        settings.put("share.coordinator.state.topic.replication.factor", replicas);
        settings.put("share.coordinator.state.topic.min.isr", minInSync);
        settings.put("group.initial.rebalance.delay.ms", "0");
        settings.put("highwater.http.port", "-1");
        if (brokers > 1) {
            // All are in one process: who does not answer at once is not going to.
            settings.put("controller.quorum.election.backoff.max.ms", "200");
            settings.put("controller.quorum.fetch.timeout.ms", "1000");
            settings.put("controller.quorum.request.timeout.ms", "1000");
            settings.put("broker.heartbeat.interval.ms", "500");
            settings.put("broker.session.timeout.ms", "3000");
        }
        settings.putAll(given);
        return settings;
    }

    /** What a broker of its own needs besides: where it is, and where the others are. */
    static Map<String, String> own(TestBroker broker, List<TestBroker> all, String clusterId) {
        Map<String, String> settings = new HashMap<>();
        settings.put("node.id", Integer.toString(broker.id()));
        settings.put("log.dirs", broker.directory().toString());
        settings.put(
                "listeners",
                TestBroker.CLIENTS + "://" + broker.address() + "," + TestBroker.CONTROLLER + "://"
                        + broker.controllerAddress());
        if (all.size() == 1) {
            settings.put("controller.quorum.bootstrap.servers", broker.controllerAddress());
        } else {
            settings.put("highwater.cluster.id", clusterId);
            // One is the first to stand for election, or all would wait for the same time and then might stand against
            // each other.
            settings.put("controller.quorum.election.timeout.ms", broker.id() == 1 ? FIRST_ELECTION_MS : ELECTION_MS);
            settings.put(
                    "controller.quorum.voters",
                    all.stream()
                            .map(each -> each.id() + "@" + each.controllerAddress())
                            .collect(Collectors.joining(",")));
        }
        return settings;
    }
}
