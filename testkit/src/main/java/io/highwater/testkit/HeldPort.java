package io.highwater.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** A loopback port that stays the same: held, so that nobody else gets it, whenever the broker does not listen on it. One thread at a time. */
final class HeldPort implements AutoCloseable {
    private final int number;
    private @Nullable Socket holder;

    private HeldPort(Socket holder) {
        this.holder = holder;
        this.number = holder.getLocalPort();
    }

    /** Any that is free. */
    static HeldPort free() {
        return new HeldPort(bind(0));
    }

    int number() {
        return number;
    }

    /** To be listened on now. */
    void release() {
        if (holder != null) {
            close(holder);
            holder = null;
        }
    }

    /** Nobody listens any more. */
    void hold() {
        if (holder == null) {
            holder = bind(number);
        }
    }

    @Override
    public void close() {
        release();
    }

    private static Socket bind(int port) {
        // Bound, but neither listening nor connected: the port counts as taken for whoever looks for a free one.
        Socket socket = new Socket();
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (IOException e) {
            close(socket);
            throw new UncheckedIOException("cannot hold port " + port, e);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
