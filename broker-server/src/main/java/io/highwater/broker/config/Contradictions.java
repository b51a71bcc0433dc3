package io.highwater.broker.config;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/** Refuses settings that are each allowed but not together, with Kafka's meaning, and what this version cannot honour safely. */
final class Contradictions {
    private static final List<String> LISTS_WITHOUT_REPEATS =
            List.of("process.roles", Listeners.CONTROLLER_NAMES, "log.dir", "log.dirs");

    private final BrokerConfig config;

    private Contradictions(BrokerConfig config) {
        this.config = config;
    }

    /** Throws for the first contradiction found. */
    static void refuse(BrokerConfig config) {
        Contradictions contradictions = new Contradictions(config);
        contradictions.node();
        contradictions.quorum();
        contradictions.controllerListeners();
        contradictions.brokerListeners();
        contradictions.unsupported();
        contradictions.network();
        contradictions.log();
        contradictions.replication();
        contradictions.groups();
    }

    private void node() {
        require(
                config.getInt("broker.id") == config.nodeId(),
                "broker.id",
                "broker.id=" + config.getInt("broker.id") + " is another than node.id=" + config.nodeId()
                        + "; they are two names of one setting");
        for (String list : LISTS_WITHOUT_REPEATS) {
            Set<String> seen = new HashSet<>();
            config.getList(list).forEach(each -> require(seen.add(each), list, list + " names " + each + " twice"));
        }
        require(
                !config.getList("process.roles").isEmpty(),
                "process.roles",
                "process.roles is empty; allowed is broker, " + "controller, or both");
    }

    private void quorum() {
        Set<Integer> voters = config.quorumVoters().keySet();
        require(
                !voters.isEmpty() || !config.quorumBootstrapServers().isEmpty(),
                Quorum.VOTERS,
                "nothing says where the controllers are; set " + Quorum.BOOTSTRAP_SERVERS + " to their addresses or "
                        + Quorum.VOTERS + " to ID@HOST:PORT of each");
        if (config.isController()) {
            require(
                    voters.isEmpty() || voters.contains(config.nodeId()),
                    Quorum.VOTERS,
                    Quorum.VOTERS + " names the nodes " + voters + " and not this controller, node.id="
                            + config.nodeId());
        } else {
            require(
                    !voters.contains(config.nodeId()),
                    Quorum.VOTERS,
                    Quorum.VOTERS + " names this node, node.id=" + config.nodeId()
                            + ", but process.roles makes it a broker only");
        }
    }

    private void controllerListeners() {
        String names = Listeners.CONTROLLER_NAMES;
        require(
                !config.controllerListenerNames().isEmpty(),
                names,
                names + " is empty; every node needs the name of the listener on which controllers are called");
        for (String name : config.controllerListenerNames()) {
            boolean listens =
                    config.listeners().stream().anyMatch(each -> each.name().equals(name));
            if (config.isController()) {
                require(listens, names, names + " has " + name + ", which " + Listeners.LISTENERS + " has not");
            } else {
                require(
                        !listens,
                        names,
                        names + " has " + name + ", which must not be in " + Listeners.LISTENERS
                                + " of a node that is only a broker");
                require(
                        config.listenerProtocols().containsKey(name),
                        names,
                        names + " has " + name + ", for which " + Listeners.PROTOCOL_MAP
                                + " names no security protocol");
            }
        }
        requireRoutable(config.advertisedControllerListeners());
        if (!config.isBroker()) {
            require(
                    config.brokerListeners().isEmpty(),
                    Listeners.LISTENERS,
                    Listeners.LISTENERS + " has " + config.brokerListeners()
                            + ", but a node that is only a controller has " + "none besides those in " + names);
        }
    }

    private void brokerListeners() {
        Listeners.requireDistinctPorts(config.listeners());
        require(
                config.listeners().stream().noneMatch(each -> each.name().equals(Listeners.HTTP)),
                Listeners.LISTENERS,
                Listeners.LISTENERS + " has " + Listeners.HTTP
                        + ", the name under which brokers tell each other of highwater.http.port");
        if (!config.isBroker()) {
            return;
        }
        List<String> advertised = config.advertisedBrokerListeners().stream()
                .map(ListenerEndpoint::name)
                .toList();
        require(
                !advertised.isEmpty(),
                Listeners.ADVERTISED,
                "there is no listener for clients; is every one of " + Listeners.LISTENERS + " also in "
                        + Listeners.CONTROLLER_NAMES + "?");
        require(
                config.value("inter.broker.listener.name") == null || !config.isSet("security.inter.broker.protocol"),
                "inter.broker.listener.name",
                "inter.broker.listener.name and security.inter.broker.protocol are both set; set one");
        require(
                advertised.contains(config.interBrokerListenerName()),
                "inter.broker.listener.name",
                "brokers call each other on the listener " + config.interBrokerListenerName()
                        + " (inter.broker.listener.name), which is not among the advertised ones: "
                        + String.join(", ", advertised));
        for (String name : advertised) {
            require(
                    config.listeners().stream().anyMatch(each -> each.name().equals(name)),
                    Listeners.ADVERTISED,
                    Listeners.ADVERTISED + " has " + name + ", which " + Listeners.LISTENERS + " has not");
        }
        requireRoutable(config.advertisedBrokerListeners());
    }

    /** Going on without these would leave open what the operator wanted closed. */
    private void unsupported() {
        for (ListenerEndpoint listener : config.listeners()) {
            require(
                    listener.protocol() == SecurityProtocol.PLAINTEXT,
                    Listeners.LISTENERS,
                    Listeners.LISTENERS + " has " + listener + " with the protocol " + listener.protocol()
                            + "; this version of Highwater speaks PLAINTEXT only");
        }
        String authorizer = config.getString("authorizer.class.name");
        require(
                authorizer == null || authorizer.isEmpty(),
                "authorizer.class.name",
                "authorizer.class.name=" + authorizer
                        + " cannot be honoured; this version of Highwater has no authorizer");
        require(
                !config.getBoolean("remote.log.storage.system.enable"),
                "remote.log.storage.system.enable",
                "remote.log.storage.system.enable=true cannot be honoured; Highwater has no tiered storage");
    }

    private void network() {
        long budget = config.getLong("queued.max.request.bytes");
        require(
                budget <= 0 || budget >= config.getInt("socket.request.max.bytes"),
                "queued.max.request.bytes",
                "queued.max.request.bytes=" + budget + " is less than one request may have, socket.request.max.bytes="
                        + config.getInt("socket.request.max.bytes"));
        require(
                config.isSet("highwater.http.tls.certificate") == config.isSet("highwater.http.tls.key"),
                "highwater.http.tls.certificate",
                "highwater.http.tls.certificate and highwater.http.tls.key are set both or not at all");
        String token = config.getString("highwater.http.token");
        require(
                token == null || token.matches("[!-~]+"),
                "highwater.http.token",
                "highwater.http.token is empty or has characters that no header can carry;"
                        + " allowed are visible ones of ASCII, without spaces");
        Map<String, Integer> perAddress = config.maxConnectionsPerIpOverrides();
        require(
                config.getInt("max.connections.per.ip") > 0 || !perAddress.isEmpty(),
                "max.connections.per.ip",
                "max.connections.per.ip=0 lets nobody in; it is allowed only beside max.connections.per.ip.overrides");
        long idleMs = config.getLong("connections.max.idle.ms");
        long delayMs = config.getLong("connection.failed.authentication.delay.ms");
        require(
                idleMs < 0 || delayMs < idleMs,
                "connection.failed.authentication.delay.ms",
                "connection.failed.authentication.delay.ms=" + delayMs + " must be less than connections.max.idle.ms="
                        + idleMs);
    }

    private void log() {
        require(!config.logDirs().isEmpty(), "log.dirs", "log.dirs is empty; a node needs at least one directory");
        Map<String, String> topic = config.topicConfig(Map.of());
        topic.forEach((name, value) -> SettingTable.TOPIC.get(name).parse(value));
        require(
                !"0".equals(topic.get("retention.ms")),
                "log.retention.ms",
                "log.retention.ms (or .minutes, .hours) is 0; allowed is -1 for ever, or 1 or more");
        int cleaners = config.getInt("log.cleaner.threads");
        long dedupe = config.getLong("log.cleaner.dedupe.buffer.size");
        require(
                cleaners == 0 || dedupe / cleaners > 1024 * 1024,
                "log.cleaner.dedupe.buffer.size",
                "log.cleaner.dedupe.buffer.size=" + dedupe + " must be more than 1 MiB for each of log.cleaner.threads="
                        + cleaners);
    }

    private void replication() {
        long waitMs = config.getLong("replica.fetch.wait.max.ms");
        for (String longer : List.of("replica.socket.timeout.ms", "replica.lag.time.max.ms")) {
            require(
                    waitMs <= config.getLong(longer),
                    "replica.fetch.wait.max.ms",
                    "replica.fetch.wait.max.ms=" + waitMs + " must not be more than " + longer + "="
                            + config.getLong(longer));
        }
    }

    private void groups() {
        require(
                config.getList("group.coordinator.rebalance.protocols").contains("classic"),
                "group.coordinator.rebalance.protocols",
                "group.coordinator.rebalance.protocols leaves out classic, which cannot be switched off");
        requireOrder("group.min.session.timeout.ms", "group.max.session.timeout.ms", false);
        for (String kind : List.of("group.consumer.", "group.share.", "group.streams.")) {
            for (String what : List.of("heartbeat.interval.ms", "session.timeout.ms", "assignment.interval.ms")) {
                requireOrder(kind + "min." + what, kind + what, false);
                requireOrder(kind + what, kind + "max." + what, false);
            }
            requireOrder(kind + "heartbeat.interval.ms", kind + "session.timeout.ms", true);
        }
    }

    private void requireOrder(String less, String more, boolean strictly) {
        long one = config.getLong(less);
        long other = config.getLong(more);
        require(
                one < other || (one == other && !strictly),
                less,
                less + "=" + one + (strictly ? " must be less than " : " must not be more than ") + more + "=" + other);
    }

    private static void requireRoutable(List<ListenerEndpoint> advertised) {
        for (ListenerEndpoint endpoint : advertised) {
            require(
                    !endpoint.host().equals("0.0.0.0"),
                    Listeners.ADVERTISED,
                    "nobody can connect to the address 0.0.0.0 of the listener " + endpoint.name() + "; set "
                            + Listeners.ADVERTISED + " to one that clients can reach");
        }
    }

    private static void require(boolean holds, String setting, String sentence) {
        if (!holds) {
            throw new InvalidSettingException(setting, sentence);
        }
    }
}
