package io.highwater.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the bytes of all connections between the nodes of one cluster, so that they can be held up: one listening socket per calling node
 * and called port, one thread for all of them. A way that is closed is not read, so what was sent waits, as on a network that loses every
 * packet; nor does the other side learn that a connection has ended.
 */
final class Relays implements AutoCloseable {
    /** As much is moved at once; more than a socket's buffer holds. */
    private static final int CHUNK_BYTES = 256 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(Relays.class);
    private static final long CLOSE_WAIT_SECONDS = 10;

    private final Links links;
    private final Selector selector;
    private final Thread thread;
    private final Map<Road, Integer> ports = new ConcurrentHashMap<>();
    private final Map<Integer, Integer> callerByLocalPort = new ConcurrentHashMap<>();
    private final Queue<Runnable> errands = new ConcurrentLinkedQueue<>();
    private volatile boolean closing;

    // The thread's own.
    private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
    private final Set<RelayedConnection> connections = new HashSet<>();
    private final Set<Integer> unreachable = new HashSet<>();
    private final List<ServerSocketChannel> servers = new ArrayList<>();

    /** From one node to a port of another. */
    private record Road(int caller, int called, InetSocketAddress target) {}

    /** Starts the thread; relays open as they are asked for. */
    Relays(Links links) {
        this.links = links;
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.thread = new Thread(this::run, "highwater-testkit-relays");
        thread.setDaemon(true);
        thread.start();
    }

    /** The loopback port where {@code caller} has to connect to get to {@code target}, which is a port of {@code called}. Any thread. */
    int toward(int caller, int called, InetSocketAddress target) {
        return ports.computeIfAbsent(new Road(caller, called, target), this::open);
    }

    /** Which node's connection it is that comes from that local port; null if it is none of ours. Any thread. */
    @Nullable
    Integer callerAt(int localPort) {
        return callerByLocalPort.get(localPort);
    }

    /** The links have changed. Returns when that holds for every byte not yet moved. */
    void onLinksChanged() {
        await(() -> List.copyOf(connections).forEach(RelayedConnection::onLinks));
    }

    /** The node is gone: its connections are reset, and new ones are refused until {@link #onUp}. Returns when that is so. */
    void onDown(int node) {
        await(() -> {
            unreachable.add(node);
            List.copyOf(connections).forEach(connection -> connection.onDown(node));
        });
    }

    /** The node is back. */
    void onUp(int node) {
        await(() -> unreachable.remove(node));
    }

    @Override
    public void close() {
        closing = true;
        selector.wakeup();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(CLOSE_WAIT_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int open(Road road) {
        try {
            ServerSocketChannel server = ServerSocketChannel.open();
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            server.configureBlocking(false);
            run(() -> {
                servers.add(server);
                server.register(selector, SelectionKey.OP_ACCEPT, road);
            });
            return server.socket().getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no relay for " + road, e);
        }
    }

    private interface Errand {
        void run() throws IOException;
    }

    private void run(Errand errand) {
        errands.add(() -> {
            try {
                errand.run();
            } catch (IOException e) {
                LOG.warn("a relay failed", e);
            }
        });
        selector.wakeup();
    }

    private void await(Errand errand) {
        if (closing) {
            return;
        }
        CountDownLatch done = new CountDownLatch(1);
        run(() -> {
            errand.run();
            done.countDown();
        });
        try {
            if (!done.await(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS) && !closing) {
                throw new IllegalStateException("the relays' thread is stuck");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    // ---- the thread

    private void run() {
        try {
            while (!closing) {
                selector.select(this::onReady);
                for (Runnable errand = errands.poll(); errand != null; errand = errands.poll()) {
                    errand.run();
                }
            }
        } catch (IOException | ClosedSelectorException e) {
            LOG.error("the relays between nodes have failed", e);
        } finally {
            List.copyOf(connections).forEach(RelayedConnection::reset);
            servers.forEach(Relays::closeQuietly);
            closeQuietly(selector);
        }
    }

    private void onReady(SelectionKey key) {
        if (key.attachment() instanceof Road road) {
            accept((ServerSocketChannel) key.channel(), road);
        } else if (key.attachment() instanceof RelayedConnection connection) {
            connection.onReady(key);
        }
    }

    private void accept(ServerSocketChannel server, Road road) {
        try {
            SocketChannel caller = server.accept();
            if (caller == null) {
                return;
            }
            RelayedConnection connection = new RelayedConnection(this, road.caller, road.called, road.target, caller);
            connections.add(connection);
            if (unreachable.contains(road.called)) {
                connection.onDown(road.called);
            } else {
                connection.onLinks();
            }
        } catch (IOException e) {
            LOG.warn("a connection of node {} to node {} was not relayed", road.caller, road.called, e);
        }
    }

    // ---- for connections

    boolean isOpen(int from, int to) {
        return links.isOpen(from, to);
    }

    Selector selector() {
        return selector;
    }

    /** Empty; to be emptied before the next use. */
    ByteBuffer chunk() {
        return chunk.clear();
    }

    void onConnecting(int caller, int localPort) {
        callerByLocalPort.put(localPort, caller);
    }

    void onClosed(RelayedConnection connection, int localPort) {
        connections.remove(connection);
        callerByLocalPort.remove(localPort);
    }

    static void closeQuietly(AutoCloseable what) {
        try {
            what.close();
        } catch (Exception e) {
            LOG.debug("closing {}", what, e);
        }
    }
}
