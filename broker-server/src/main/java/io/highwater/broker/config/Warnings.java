package io.highwater.broker.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is allowed but worth a word at start. */
final class Warnings {
    private final BrokerConfig config;
    private final List<String> sentences = new ArrayList<>();

    private Warnings(BrokerConfig config) {
        this.config = config;
    }

    static List<String> of(BrokerConfig config) {
        Warnings warnings = new Warnings(config);
        warnings.unknownNames();
        warnings.durability();
        warnings.sizes();
        warnings.quorum();
        warnings.tryingOnly();
        return List.copyOf(warnings.sentences);
    }

    private void unknownNames() {
        Map<String, String> given = new TreeMap<>(config.raw());
        given.keySet().forEach(name -> KnownNames.complaint(name).ifPresent(sentences::add));
        List<String> idle =
                given.keySet().stream().filter(KnownNames::hasNoEffect).toList();
        if (!idle.isEmpty()) {
            sentences.add("set, but without effect in Highwater: " + String.join(", ", idle));
        }
    }

    private void durability() {
        if (config.getBoolean("unclean.leader.election.enable")) {
            say(
                    "unclean.leader.election.enable=true: a replica that lacks acknowledged records may become leader, and they"
                            + " are lost");
        }
        int copies = config.getInt("default.replication.factor");
        int atLeast = config.getInt("min.insync.replicas");
        if (copies > 1 && atLeast == 1) {
            say("min.insync.replicas=1 with default.replication.factor=" + copies
                    + ": acks=all is answered when a single replica holds the record");
        }
        if (atLeast > copies) {
            say("min.insync.replicas=" + atLeast + " is more than default.replication.factor=" + copies
                    + ": on topics that are created with the default, acks=all waits for no more copies than these");
        }
        if (seenNodes() > 1) {
            oneCopyIn("offsets.topic.replication.factor", "the committed offsets");
            oneCopyIn("transaction.state.log.replication.factor", "the state of transactions");
            if (copies == 1 && config.getBoolean("auto.create.topics.enable")) {
                say(
                        "default.replication.factor=1 in a cluster of several nodes: topics that clients create by using them are"
                                + " lost with one node");
            }
        }
        config.logDirs().stream()
                .filter(dir -> dir.startsWith("/tmp"))
                .forEach(dir -> say("log.dirs has " + dir + ": many systems empty /tmp when they start"));
    }

    private void oneCopyIn(String setting, String what) {
        if (config.getInt(setting) == 1) {
            say(setting + "=1 in a cluster of several nodes: " + what + " are lost with one node");
        }
    }

    private void sizes() {
        if (config.getInt("message.max.bytes") > config.getInt("socket.request.max.bytes")) {
            say("message.max.bytes=" + config.getInt("message.max.bytes")
                    + " is more than a request may have, socket.request.max.bytes="
                    + config.getInt("socket.request.max.bytes"));
        }
        if (config.getInt("broker.heartbeat.interval.ms") * 2L > config.getInt("broker.session.timeout.ms")) {
            say("broker.heartbeat.interval.ms=" + config.getInt("broker.heartbeat.interval.ms")
                    + " is more than half of broker.session.timeout.ms="
                    + config.getInt("broker.session.timeout.ms") + ": one late heartbeat fences the broker");
        }
    }

    private void quorum() {
        int voters = config.quorumVoters().size();
        if (voters > 0 && voters % 2 == 0) {
            say(Quorum.VOTERS + " names " + voters + " controllers: the quorum survives no more losses than with "
                    + (voters - 1));
        }
    }

    private void tryingOnly() {
        if (config.getBoolean("highwater.step.enabled")) {
            say("highwater.step.enabled=true: step mode is for trying only, never in production; whoever reaches "
                    + config.httpHost() + ":" + config.httpPort()
                    + (config.isSet("highwater.http.token") ? " and has the token" : "")
                    + " can hold replication up, and with it every producer that waits for acks=all");
        }
    }

    /** How many nodes the cluster has at least, as far as this node's settings tell. */
    private int seenNodes() {
        return Math.max(
                config.quorumVoters().size(), config.quorumBootstrapServers().size());
    }

    private void say(String sentence) {
        sentences.add(sentence);
    }
}
