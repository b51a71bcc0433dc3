package io.highwater.itests.soak;

import io.highwater.itests.Ports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;

/**
 * Three combined nodes, each with a listener for clients, one for brokers and one for controllers; relays stand before the last two unless
 * it is asked for without. For one thread.
 */
public final class Cluster implements AutoCloseable {
    /** How many nodes, from 1. */
    public static final int SIZE = 3;

    private final Cuts cuts = new Cuts();
    private final List<Relay> relays = new ArrayList<>();
    private final boolean relayed;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Integer> clientPorts;
    private final List<Integer> httpPorts;

    /** Starts the nodes; they serve a little later. */
    Cluster(Path directory) {
        this(directory, true, "");
    }

    /** Without relays: a listener whose process has died refuses connections, as it does in earnest. */
    static Cluster direct(Path directory) {
        return direct(directory, "");
    }

    /** As above, with lines of settings that all are to have besides. */
    public static Cluster direct(Path directory, String settings) {
        return new Cluster(directory, false, settings);
    }

    private Cluster(Path directory, boolean relayed, String more) {
        this.relayed = relayed;
        List<Integer> ports = Ports.free(4 * SIZE);
        clientPorts = ports.subList(0, SIZE);
        List<Integer> brokerPorts = ports.subList(SIZE, 2 * SIZE);
        List<Integer> controllerPorts = ports.subList(2 * SIZE, 3 * SIZE);
        httpPorts = ports.subList(3 * SIZE, 4 * SIZE);
        for (int id = 1; id <= SIZE; id++) {
            String settings = """
                process.roles=broker,controller
                node.id=%d
                listeners=CLIENT://127.0.0.1:%d,BROKER://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d
                advertised.listeners=CLIENT://127.0.0.1:%d,BROKER://127.0.0.1:%d
                listener.security.protocol.map=CLIENT:PLAINTEXT,BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT
                inter.broker.listener.name=BROKER
                controller.listener.names=CONTROLLER
                controller.quorum.voters=%s
                log.dirs=%s
                highwater.cluster.id=SGlnaHdhdGVyU29haw0001
                highwater.http.port=%d
                %s
                """.formatted(
                            id,
                            clientPorts.get(id - 1),
                            brokerPorts.get(id - 1),
                            controllerPorts.get(id - 1),
                            clientPorts.get(id - 1),
                            way(-1, id, brokerPorts.get(id - 1)),
                            voters(id, controllerPorts),
                            directory.resolve("node-" + id).resolve("data"),
                            httpPorts.get(id - 1),
                            more);
            nodes.add(new Node(id, directory.resolve("node-" + id), settings));
        }
        nodes.forEach(Node::start);
    }

    /** For clients. */
    public String bootstrapServers() {
        return clientPorts.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    /** Where that node tells of itself. */
    public int httpPort(int id) {
        return httpPorts.get(id - 1);
    }

    /** The first has id 1. */
    public List<Node> nodes() {
        return nodes;
    }

    /** Returns when all brokers are let in; fails with what the nodes have printed if one ends, or not all are let in in time. */
    public void awaitBrokers(Admin admin) {
        try {
            Awaitility.await()
                    .atMost(Conditions.PATIENCE)
                    .failFast("a node has ended", () -> !nodes.stream().allMatch(Node::isRunning))
                    .ignoreExceptions()
                    .until(() -> admin.describeCluster().nodes().get().size() == SIZE);
        } catch (ConditionTimeoutException | TerminalFailureException e) {
            throw new AssertionError(nodes.stream().map(Node::console).collect(Collectors.joining("\n")), e);
        }
    }

    /** From now on nothing that the one sends reaches the other. */
    void cut(int from, int to) {
        cuts.cut(new Link(from, to));
    }

    void mend() {
        cuts.mendAll();
    }

    @Override
    public void close() {
        cuts.mendAll();
        nodes.forEach(Node::close);
        relays.forEach(Relay::close);
    }

    /** The voters as node {@code id} is to see them: the others through a relay of its own. */
    private String voters(int id, List<Integer> controllerPorts) {
        return IntStream.rangeClosed(1, SIZE)
                .mapToObj(voter -> {
                    int port = controllerPorts.get(voter - 1);
                    return voter + "@127.0.0.1:" + (voter == id ? port : way(id, voter, port));
                })
                .collect(Collectors.joining(","));
    }

    /** The port on which {@code source} is to find that of {@code target}. */
    private int way(int source, int target, int port) {
        if (!relayed) {
            return port;
        }
        Relay relay = new Relay(source, target, port, cuts);
        relays.add(relay);
        return relay.port();
    }
}
