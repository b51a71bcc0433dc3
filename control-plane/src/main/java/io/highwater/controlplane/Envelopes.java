package io.highwater.controlplane;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.PrincipalDeserializationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.EnvelopeRequestData;
import org.apache.kafka.common.message.EnvelopeResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.RequestUtils;
import org.apache.kafka.common.requests.ResponseHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.KafkaPrincipalSerde;
import org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder;

/** A client's request inside the request of the broker that forwards it, and the answer on the same way back. */
final class Envelopes {
    private static final KafkaPrincipalSerde PRINCIPALS = new DefaultKafkaPrincipalBuilder(null, null);

    private Envelopes() {}

    /** Packs a client's request, its principal and its address. */
    static EnvelopeRequestData wrap(RequestHeader header, ApiMessage body, Caller caller) {
        ByteBuffer request = RequestUtils.serialize(header.data(), header.headerVersion(), body, header.apiVersion());
        return new EnvelopeRequestData()
                .setRequestData(request)
                .setRequestPrincipal(PRINCIPALS.serialize(caller.principal()))
                .setClientHostAddress(caller.clientAddress().getAddress());
    }

    /** The client's request inside; whoever is wrong here fails the envelope, not the request. */
    static ControllerCall unwrap(EnvelopeRequestData envelope, Caller forwarder) {
        Caller caller = new Caller(
                principal(envelope), clientAddress(envelope), forwarder.listenerName(), forwarder.securityProtocol());
        ByteBuffer bytes = envelope.requestData().duplicate();
        RequestHeader header = readable(() -> RequestHeader.parse(bytes));
        if (!header.apiKey().forwardable) {
            throw new InvalidRequestException("API " + header.apiKey() + " may not be forwarded");
        }
        ApiMessage body = readable(
                () -> AbstractRequest.parseRequest(header.apiKey(), header.apiVersion(), new ByteBufferAccessor(bytes))
                        .request
                        .data());
        return new ControllerCall(header, body, caller, true);
    }

    /** What cannot be read inside may be newer than this controller; what is wrong with the envelope itself is an invalid request. */
    private static <T> T readable(Supplier<T> read) {
        try {
            return read.get();
        } catch (RuntimeException unreadable) {
            throw new UnsupportedVersionException("cannot read the forwarded request", unreadable);
        }
    }

    private static KafkaPrincipal principal(EnvelopeRequestData envelope) {
        try {
            return PRINCIPALS.deserialize(envelope.requestPrincipal());
        } catch (RuntimeException unreadable) {
            throw new PrincipalDeserializationException(
                    "cannot read the client's principal in an envelope", unreadable);
        }
    }

    private static InetAddress clientAddress(EnvelopeRequestData envelope) {
        try {
            return InetAddress.getByAddress(envelope.clientHostAddress());
        } catch (UnknownHostException unreadable) {
            throw new InvalidRequestException("cannot read the client's address in an envelope", unreadable);
        }
    }

    /** Packs the answer to a request that came in an envelope. */
    static EnvelopeResponseData answer(RequestHeader inner, ApiMessage body) {
        ResponseHeader header = inner.toResponseHeader();
        return new EnvelopeResponseData()
                .setResponseData(
                        RequestUtils.serialize(header.data(), header.headerVersion(), body, inner.apiVersion()));
    }

    /** The answer to {@code request} inside; for an envelope without an error. */
    static ApiMessage answerInside(EnvelopeResponseData envelope, RequestHeader request) {
        return AbstractResponse.parseResponse(envelope.responseData().duplicate(), request)
                .data();
    }

    /** Whether this answer says that the controller is another. */
    static boolean notController(ApiKeys api, short version, ApiMessage body) {
        ByteBufferAccessor bytes = org.apache.kafka.common.protocol.MessageUtil.toByteBufferAccessor(body, version);
        return AbstractResponse.parseResponse(api, bytes, version).errorCounts().containsKey(Errors.NOT_CONTROLLER);
    }
}
