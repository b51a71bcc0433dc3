package io.highwater.itests;

import io.highwater.testkit.TestBroker;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;

/** Requests as no stock client sends them, to one broker. */
final class Raw {
    private Raw() {}

    /** Sends one request on a connection of its own and returns its answer. */
    static <R extends AbstractResponse> R ask(TestBroker broker, AbstractRequest request, Class<R> answerType) {
        int colon = broker.address().lastIndexOf(':');
        String host = broker.address().substring(0, colon);
        int port = Integer.parseInt(broker.address().substring(colon + 1));
        RequestHeader header = new RequestHeader(request.apiKey(), request.version(), "raw", 1);
        try (Socket socket = new Socket(host, port)) {
            ByteBuffer frame = request.serializeWithHeader(header);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(frame.remaining());
            out.write(frame.array(), frame.arrayOffset() + frame.position(), frame.remaining());
            out.flush();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] answer = new byte[in.readInt()];
            in.readFully(answer);
            return answerType.cast(AbstractResponse.parseResponse(ByteBuffer.wrap(answer), header));
        } catch (IOException e) {
            throw new UncheckedIOException("no answer to " + request.apiKey(), e);
        }
    }
}
