package io.highwater.itests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for processes that are killed and started again. They lie below those that the system gives to clients: while a node is down its port must
 * not become the near end of somebody's connection, not even of one that calls the node, which would be a call to itself.
 */
public final class Ports {
    private static final int FIRST = 10_240;
    private static final int END = 32_768;
    private static final int ATTEMPTS = 1_000;

    private Ports() {}

    /** As many different ports of the loopback interface as nobody listens on now. */
    public static List<Integer> free(int count) {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int attempt = 0; held.size() < count; attempt++) {
                tryOne(held, attempt);
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            held.forEach(Ports::close);
        }
    }

    private static void tryOne(List<ServerSocket> held, int attempt) {
        int port = ThreadLocalRandom.current().nextInt(FIRST, END);
        try {
            held.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        } catch (IOException taken) {
            if (attempt >= ATTEMPTS) {
                throw new UncheckedIOException("no free port", taken);
            }
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
