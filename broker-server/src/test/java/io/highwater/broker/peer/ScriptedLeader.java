package io.highwater.broker.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.RequestHeader;
import org.jspecify.annotations.Nullable;

/** A leader on loopback that says what the test wants: each question is waited for, then answered. One connection at a time. */
final class ScriptedLeader implements AutoCloseable {
    private static final int PATIENCE_MS = 20_000;

    private final ServerSocket server;
    private final short newestFetch;
    private @Nullable Socket socket;
    private RequestHeaderData asked = new RequestHeaderData();
    int connections;

    ScriptedLeader(short newestFetch) throws IOException {
        this.newestFetch = newestFetch;
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        server.setSoTimeout(PATIENCE_MS);
    }

    ScriptedLeader() throws IOException {
        this(ApiKeys.FETCH.latestVersion());
    }

    int port() {
        return server.getLocalPort();
    }

    short version() {
        return asked.requestApiVersion();
    }

    FetchRequestData nextFetch() throws IOException {
        return (FetchRequestData) next(ApiKeys.FETCH);
    }

    ListOffsetsRequestData nextListOffsets() throws IOException {
        return (ListOffsetsRequestData) next(ApiKeys.LIST_OFFSETS);
    }

    void answer(ApiMessage body) throws IOException {
        ApiKeys api = ApiKeys.forId(asked.requestApiKey());
        ResponseHeaderData header = new ResponseHeaderData().setCorrelationId(asked.correlationId());
        byte[] head = bytes(header, api.responseHeaderVersion(asked.requestApiVersion()));
        byte[] rest = bytes(body, asked.requestApiVersion());
        DataOutputStream out = new DataOutputStream(socket().getOutputStream());
        out.writeInt(head.length + rest.length);
        out.write(head);
        out.write(rest);
        out.flush();
    }

    /** Ends the connection without an answer. */
    void hangUp() throws IOException {
        socket().close();
        socket = null;
    }

    private ApiMessage next(ApiKeys wanted) throws IOException {
        ApiMessage body = read();
        while (asked.requestApiKey() == ApiKeys.API_VERSIONS.id) {
            answer(versions());
            body = read();
        }
        assertThat(asked.requestApiKey()).isEqualTo(wanted.id);
        return body;
    }

    private ApiMessage read() throws IOException {
        if (socket == null) {
            Socket accepted = server.accept();
            accepted.setSoTimeout(PATIENCE_MS);
            socket = accepted;
            connections++;
        }
        DataInputStream in = new DataInputStream(socket().getInputStream());
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        ByteBuffer bytes = ByteBuffer.wrap(frame);
        RequestHeader header = RequestHeader.parse(bytes);
        asked = header.data();
        ApiMessage body = header.apiKey().messageType.newRequest();
        body.read(new ByteBufferAccessor(bytes), header.apiVersion());
        return body;
    }

    private ApiVersionsResponseData versions() {
        ApiVersionsResponseData versions = new ApiVersionsResponseData();
        versions.apiKeys().add(range(ApiKeys.FETCH, newestFetch));
        versions.apiKeys().add(range(ApiKeys.LIST_OFFSETS, ApiKeys.LIST_OFFSETS.latestVersion()));
        return versions;
    }

    private static ApiVersion range(ApiKeys api, short max) {
        return new ApiVersion().setApiKey(api.id).setMinVersion((short) 4).setMaxVersion(max);
    }

    private static byte[] bytes(Message message, short version) {
        ByteBuffer buffer = MessageUtil.toByteBufferAccessor(message, version).buffer();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private Socket socket() {
        return Objects.requireNonNull(socket);
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
        }
        server.close();
    }
}
