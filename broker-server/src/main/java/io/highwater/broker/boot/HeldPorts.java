package io.highwater.broker.boot;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.ListenerEndpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The ports of all listeners, held from before the first look at the disk until each is opened in earnest: a taken port is found before
 * anything is written, and a port that the system picks is known before it is advertised. Nobody can connect to a held port. Main thread only.
 */
final class HeldPorts implements AutoCloseable {
    /** Names the port of HTTP among those of the listeners. */
    static final String HTTP = "highwater.http.port";

    private final Map<String, Socket> held = new LinkedHashMap<>();

    private HeldPorts() {}

    /**
     * Holds the ports of all listeners, and of HTTP if it is on.
     *
     * @throws StartRefusedException if one cannot be had; then none is held
     */
    static HeldPorts of(BrokerConfig config) {
        HeldPorts ports = of(config.listeners());
        try {
            if (config.httpPort() >= 0) {
                ports.hold(HTTP, HTTP + ": " + config.httpHost(), config.httpHost(), config.httpPort());
            }
            return ports;
        } catch (StartRefusedException e) {
            ports.close();
            throw e;
        }
    }

    static HeldPorts of(List<ListenerEndpoint> listeners) {
        HeldPorts ports = new HeldPorts();
        try {
            for (ListenerEndpoint each : listeners) {
                ports.hold(each.name(), each.name() + "://" + each.host(), each.host(), each.port());
            }
            return ports;
        } catch (StartRefusedException e) {
            ports.close();
            throw e;
        }
    }

    /** The port of each listener, by its name. */
    Map<String, Integer> byListener() {
        Map<String, Integer> ports = new LinkedHashMap<>();
        held.forEach((name, socket) -> ports.put(name, socket.getLocalPort()));
        return ports;
    }

    /** The port of a listener. */
    int port(String listener) {
        return socket(held.get(listener), listener).getLocalPort();
    }

    /** Lets go of one port and returns it; to be opened right away. */
    int release(String listener) {
        Socket socket = socket(held.remove(listener), listener);
        int port = socket.getLocalPort();
        close(socket);
        return port;
    }

    @Override
    public void close() {
        held.values().forEach(HeldPorts::close);
        held.clear();
    }

    private void hold(String name, String where, String host, int port) {
        // Bound but not listening, and able to share: the wait after a former process's connections does not count as
        // taken.
        Socket socket = new Socket();
        try {
            socket.setReuseAddress(true);
            socket.bind(host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port));
            held.put(name, socket);
        } catch (IOException | IllegalArgumentException e) {
            close(socket);
            throw new StartRefusedException("cannot listen on " + where + ":" + port + ": " + Reason.of(e), e);
        }
    }

    private static Socket socket(@Nullable Socket socket, String listener) {
        if (socket == null) {
            throw new IllegalStateException("no port is held for " + listener);
        }
        return socket;
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
