package io.highwater.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;

/**
 * How the brokers of one cluster find each other. A lone one finds itself on any port; several must know all ports before the first of them
 * starts.
 *
 * @param controllerPorts by node id, beginning with 1; empty for a lone broker
 */
record Quorum(List<Integer> controllerPorts) {
    private static final int MOST_REPLICAS = 3;

    static Quorum of(int brokers) {
        return new Quorum(brokers == 1 ? List.of() : freePorts(brokers));
    }

    /** 0 for any. */
    int port(int id) {
        return controllerPorts.isEmpty() ? 0 : controllerPorts.get(id - 1);
    }

    /** What all brokers have in common. */
    Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        if (!controllerPorts.isEmpty()) {
            settings.put(
                    "controller.quorum.voters",
                    IntStream.rangeClosed(1, controllerPorts.size())
                            .mapToObj(id -> id + "@127.0.0.1:" + port(id))
                            .collect(Collectors.joining(",")));
            settings.put("highwater.cluster.id", Uuid.randomUuid().toString());
            int replicas = Math.min(MOST_REPLICAS, controllerPorts.size());
            String minInSync = Integer.toString(replicas / 2 + 1);
            settings.put("offsets.topic.replication.factor", Integer.toString(replicas));
            settings.put("transaction.state.log.replication.factor", Integer.toString(replicas));
            settings.put("transaction.state.log.min.isr", minInSync);
            settings.put("share.coordinator.state.topic.replication.factor", Integer.toString(replicas));
            settings.put("share.coordinator.state.topic.min.isr", minInSync);
        }
        return settings;
    }

    /** Ports that nobody had a moment ago, all different. */
    private static List<Integer> freePorts(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            sockets.forEach(Quorum::close);
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
