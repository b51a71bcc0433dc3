package io.highwater.controlplane;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.RequestUtils;
import org.apache.kafka.common.requests.ResponseHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/** A controller listener with one blocking thread per connection: all that the tests of this room need of a network layer. */
final class SocketListener implements AutoCloseable {
    private final ServerSocket server;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    SocketListener(int port) {
        try {
            server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    int port() {
        return server.getLocalPort();
    }

    void serve(ControlPlane target) {
        daemon("accept", () -> accept(target));
    }

    private void daemon(String what, Runnable task) {
        Thread thread = new Thread(task, "test-listener-" + port() + "-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept(ControlPlane target) {
        while (!closed) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                connections.add(socket);
                daemon("connection", () -> answerAll(socket, target));
            } catch (IOException stopped) {
                return;
            }
        }
    }

    private void answerAll(Socket socket, ControlPlane target) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            while (!closed) {
                byte[] frame = new byte[in.readInt()];
                in.readFully(frame);
                ByteBuffer answer = answer(ByteBuffer.wrap(frame), socket.getInetAddress(), target);
                out.writeInt(answer.remaining());
                out.write(answer.array(), answer.arrayOffset() + answer.position(), answer.remaining());
                out.flush();
            }
        } catch (IOException | RuntimeException gone) {
            // The test's own clients come and go.
        } finally {
            connections.remove(socket);
        }
    }

    private static ByteBuffer answer(ByteBuffer frame, InetAddress from, ControlPlane target) {
        RequestHeader header = RequestHeader.parse(frame);
        ApiKeys api = header.apiKey();
        ApiMessage body = AbstractRequest.parseRequest(api, header.apiVersion(), new ByteBufferAccessor(frame))
                .request
                .data();
        Caller caller = new Caller(KafkaPrincipal.ANONYMOUS, from, "CONTROLLER", SecurityProtocol.PLAINTEXT);
        CompletionStage<ApiMessage> answer = target.handleControllerRequest(header, body, caller);
        ResponseHeader responseHeader = header.toResponseHeader();
        return RequestUtils.serialize(
                responseHeader.data(),
                responseHeader.headerVersion(),
                answer.toCompletableFuture().join(),
                header.apiVersion());
    }

    @Override
    public void close() {
        closed = true;
        try {
            server.close();
            for (Socket socket : connections) {
                socket.close();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
