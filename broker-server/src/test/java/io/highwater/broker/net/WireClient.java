package io.highwater.broker.net;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/** A blocking client of one connection, which sends exactly what it is told. */
final class WireClient implements AutoCloseable {
    static final String CLIENT_ID = "wire client";
    private static final int TIMEOUT_MS = 10_000;

    private final Socket socket;
    private final DataInputStream in;

    WireClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MS);
        in = new DataInputStream(socket.getInputStream());
    }

    /** As the server sees it in its log. */
    String address() {
        return socket.getLocalAddress().getHostAddress() + ":" + socket.getLocalPort();
    }

    void send(int correlationId, ApiMessage body, int version) throws IOException {
        sendRaw(frame(correlationId, body, version));
    }

    void sendRaw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Reads one answer, checks its correlation id and that nothing is left over. */
    ApiMessage receive(int correlationId, ApiKeys api, int version) throws IOException {
        byte[] payload = new byte[in.readInt()];
        in.readFully(payload);
        ByteBufferAccessor accessor = new ByteBufferAccessor(ByteBuffer.wrap(payload));
        int actualId = new ResponseHeaderData(accessor, api.responseHeaderVersion((short) version)).correlationId();
        if (actualId != correlationId) {
            throw new AssertionError("answer to request " + actualId + " where one to " + correlationId + " was due");
        }
        ApiMessage answer = api.messageType.newResponse();
        answer.read(accessor, (short) version);
        if (accessor.remaining() > 0) {
            throw new AssertionError(accessor.remaining() + " bytes left over");
        }
        return answer;
    }

    /** Sends one request and reads its answer. */
    ApiMessage call(int correlationId, ApiMessage body, int version) throws IOException {
        send(correlationId, body, version);
        return receive(correlationId, ApiKeys.forId(body.apiKey()), version);
    }

    /** Whether the server ends the connection; what it sends before is ignored. */
    boolean isClosedByServer() throws IOException {
        try {
            while (in.read() >= 0) {
                // ignored
            }
            return true;
        } catch (EOFException | SocketException e) {
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    /** Whether nothing comes for a while. */
    boolean isSilent() throws IOException {
        socket.setSoTimeout(300);
        try {
            return in.read() < -1;
        } catch (SocketTimeoutException e) {
            return true;
        } finally {
            socket.setSoTimeout(TIMEOUT_MS);
        }
    }

    static byte[] frame(int correlationId, ApiMessage body, int version) {
        ApiKeys api = ApiKeys.forId(body.apiKey());
        RequestHeaderData header = new RequestHeaderData()
                .setRequestApiKey(api.id)
                .setRequestApiVersion((short) version)
                .setCorrelationId(correlationId)
                .setClientId(CLIENT_ID);
        byte[] head = bytes(header, api.requestHeaderVersion((short) version));
        byte[] tail = bytes(body, (short) version);
        return ByteBuffer.allocate(Integer.BYTES + head.length + tail.length)
                .putInt(head.length + tail.length)
                .put(head)
                .put(tail)
                .array();
    }

    private static byte[] bytes(Message message, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer buffer = ByteBuffer.allocate(message.size(cache, version));
        message.write(new ByteBufferAccessor(buffer), cache, version);
        return buffer.array();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
