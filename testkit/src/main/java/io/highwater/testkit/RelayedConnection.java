package io.highwater.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * One connection between two nodes: the half that the caller has opened to us, and the half that we open to the node it calls. It ends as a
 * whole, and not before the survivor may know: the end of one side travels the way from that side like any byte. The relays' thread only.
 */
final class RelayedConnection {
    private static final int NOT_CALLED = -1;

    private final Relays relays;
    private final Side caller;
    private final Side called;
    private final InetSocketAddress target;
    private int localPort = NOT_CALLED;
    private boolean closed;

    /** One end, and what is on its way to it. */
    private final class Side {
        final int node;
        final SocketChannel channel;
        final SelectionKey key;
        boolean connected;

        /** Its node has ended the connection, or has died, and the other side has not been told yet. */
        boolean ended;

        boolean endedInOrder;

        /** Read from the other side, and not taken yet; null for nothing. */
        @Nullable
        ByteBuffer pending;

        Side(int node, SocketChannel channel, boolean connected) throws IOException {
            this.node = node;
            this.channel = channel;
            this.connected = connected;
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            this.key = channel.register(relays.selector(), 0, RelayedConnection.this);
        }

        Side other() {
            return this == caller ? called : caller;
        }

        /** Whether what this side sends may travel on. */
        boolean maySend() {
            return relays.isOpen(node, other().node);
        }
    }

    RelayedConnection(Relays relays, int caller, int called, InetSocketAddress target, SocketChannel accepted)
            throws IOException {
        this.relays = relays;
        this.target = target;
        this.caller = new Side(caller, accepted, true);
        this.called = new Side(called, SocketChannel.open(), false);
    }

    /** Ways have opened or closed. */
    void onLinks() {
        if (closed) {
            return;
        }
        if (localPort == NOT_CALLED && !called.ended && caller.maySend()) {
            connect();
        }
        settle(caller);
        settle(called);
    }

    /** That node has died. */
    void onDown(int node) {
        if (caller.node == node) {
            end(caller, false);
        }
        if (called.node == node) {
            end(called, false);
        }
        onLinks();
    }

    void onReady(SelectionKey key) {
        if (closed) {
            return;
        }
        Side side = key == caller.key ? caller : called;
        try {
            if (key.isConnectable()) {
                side.channel.finishConnect();
                side.connected = true;
            }
            if (key.isValid() && key.isWritable()) {
                flush(side);
            }
            if (key.isValid() && key.isReadable()) {
                move(side);
            }
        } catch (IOException | CancelledKeyException e) {
            end(side, false);
        }
        onLinks();
    }

    /** Ends both halves, abruptly. */
    void reset() {
        close(false);
    }

    private void connect() {
        try {
            // The port has to be known before the called node can ask whose it is.
            called.channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            localPort = called.channel.socket().getLocalPort();
            relays.onConnecting(caller.node, localPort);
            called.connected = called.channel.connect(target);
        } catch (IOException e) {
            end(called, false);
        }
    }

    /** Carries what {@code from} has sent. */
    private void move(Side from) throws IOException {
        Side to = from.other();
        if (to.pending != null || !from.maySend()) {
            return;
        }
        ByteBuffer chunk = relays.chunk();
        int read = from.channel.read(chunk);
        if (read < 0) {
            end(from, true);
            return;
        }
        chunk.flip();
        to.pending = chunk;
        flush(to);
        if (to.pending != null) { // not before the chunk is used for others
            to.pending = ByteBuffer.allocate(chunk.remaining()).put(chunk).flip();
        }
    }

    private void flush(Side to) {
        ByteBuffer pending = to.pending;
        if (pending == null || !to.other().maySend() || !to.connected) {
            return;
        }
        try {
            to.channel.write(pending);
        } catch (IOException e) {
            end(to, false);
            pending.position(pending.limit());
        }
        if (!pending.hasRemaining()) {
            to.pending = null;
        }
    }

    private void end(Side side, boolean inOrder) {
        if (!side.ended) {
            side.ended = true;
            side.endedInOrder = inOrder;
        }
    }

    /** Tells the other side of the end, if it may know; else sees to it that the selector reports what can be done for this one. */
    private void settle(Side side) {
        if (closed) {
            return;
        }
        Side other = side.other();
        boolean stillSending = side.endedInOrder && other.pending != null && !other.ended;
        if (side.ended && side.maySend() && !stillSending) {
            close(side.endedInOrder);
            return;
        }
        int interest = 0;
        if (!side.connected) {
            interest = localPort != NOT_CALLED && !side.ended ? SelectionKey.OP_CONNECT : 0;
        } else if (!side.ended) {
            if (side.maySend() && other.pending == null && !other.ended) {
                interest |= SelectionKey.OP_READ;
            }
            if (side.pending != null && other.maySend()) {
                interest |= SelectionKey.OP_WRITE;
            }
        }
        try {
            side.key.interestOps(interest);
        } catch (CancelledKeyException e) {
            close(false);
        }
    }

    private void close(boolean inOrder) {
        if (closed) {
            return;
        }
        closed = true;
        close(caller, inOrder);
        close(called, inOrder);
        relays.onClosed(this, localPort);
    }

    private static void close(Side side, boolean inOrder) {
        try {
            if (!inOrder) {
                side.channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException e) {
            // It is closed already.
        }
        Relays.closeQuietly(side.channel);
    }
}
