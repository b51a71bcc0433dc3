package io.highwater.itests.soak;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stands before one listener of one node, so that what other nodes send it, and what it answers, can be cut off one way. Who dials is read from
 * the client id in the first request ({@code broker-2-...}), or given when only one node knows this door. Two threads per connection.
 */
final class Relay implements AutoCloseable {
    private static final Pattern BROKER = Pattern.compile("broker-(\\d+)");
    private static final int HEAD = 4 + 2 + 2 + 4 + 2;
    private static final int MAX_CLIENT_ID = 256;
    private static final int UNKNOWN = -1;

    private final ServerSocket door;
    private final int target;
    private final int targetPort;
    private final int source;
    private final Cuts cuts;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    /** Before the listener of node {@code target}; {@code source} dials, or whoever says so in its client id if that is -1. */
    Relay(int source, int target, int targetPort, Cuts cuts) {
        this.source = source;
        this.target = target;
        this.targetPort = targetPort;
        this.cuts = cuts;
        try {
            this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start("relay-accept-" + target, this::accept);
    }

    int port() {
        return door.getLocalPort();
    }

    @Override
    public void close() {
        quietly(door);
        sockets.forEach(Relay::quietly);
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket near = door.accept();
                sockets.add(near);
                start("relay-" + target, () -> serve(near));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket near) {
        try (near;
                Socket far = new Socket(InetAddress.getLoopbackAddress(), targetPort)) {
            sockets.add(far);
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            byte[] head = head(near.getInputStream());
            int from = source == UNKNOWN ? sourceIn(head) : source;
            cuts.await(new Link(from, target));
            far.getOutputStream().write(head);
            Thread back = start("relay-back-" + target, () -> pump(far, near, new Link(target, from)));
            pump(near, far, new Link(from, target));
            back.join();
            sockets.remove(far);
        } catch (IOException e) {
            // Either end is gone: so is the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(near);
        }
    }

    /** Until either end closes, which closes the other. */
    private void pump(Socket source, Socket sink, Link link) {
        byte[] buffer = new byte[64 * 1024];
        try (source;
                sink) {
            InputStream in = source.getInputStream();
            OutputStream out = sink.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                cuts.await(link);
                out.write(buffer, 0, n);
            }
        } catch (IOException e) {
            // As above.
        }
    }

    /** The start of the first request, up to the end of its client id. */
    private static byte[] head(InputStream in) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(HEAD + MAX_CLIENT_ID);
        fill(in, head, HEAD);
        int length = Math.max(0, head.getShort(HEAD - 2));
        if (length > MAX_CLIENT_ID) {
            throw new IOException("a client id of " + length + " bytes");
        }
        fill(in, head, HEAD + length);
        byte[] bytes = new byte[head.position()];
        head.flip().get(bytes);
        return bytes;
    }

    private static void fill(InputStream in, ByteBuffer buffer, int until) throws IOException {
        while (buffer.position() < until) {
            int n = in.read(buffer.array(), buffer.arrayOffset() + buffer.position(), until - buffer.position());
            if (n < 0) {
                throw new EOFException();
            }
            buffer.position(buffer.position() + n);
        }
    }

    private static int sourceIn(byte[] head) {
        Matcher broker = BROKER.matcher(new String(head, HEAD, head.length - HEAD, StandardCharsets.UTF_8));
        return broker.find() ? Integer.parseInt(broker.group(1)) : UNKNOWN;
    }

    private static Thread start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void quietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            // Nothing is left to be done with it.
        }
    }
}
