package io.highwater.coordination.group;

import java.net.InetAddress;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;

/**
 * Who asks, and in which version: answers differ by version, and members are described by client id and address.
 *
 * @param apiVersion of the request, which is also the version of its answer
 * @param clientId as sent; empty when the client sent none
 */
public record Caller(
        ApiKeys api,
        short apiVersion,
        String clientId,
        InetAddress clientAddress,
        KafkaPrincipal principal,
        String listener,
        SecurityProtocol securityProtocol,
        int correlationId) {

    AuthorizableRequestContext asContext() {
        return new Context(this);
    }

    private record Context(Caller caller) implements AuthorizableRequestContext {
        @Override
        public String listenerName() {
            return caller.listener;
        }

        @Override
        public SecurityProtocol securityProtocol() {
            return caller.securityProtocol;
        }

        @Override
        public KafkaPrincipal principal() {
            return caller.principal;
        }

        @Override
        public InetAddress clientAddress() {
            return caller.clientAddress;
        }

        @Override
        public int requestType() {
            return caller.api.id;
        }

        @Override
        public int requestVersion() {
            return caller.apiVersion;
        }

        @Override
        public String clientId() {
            return caller.clientId;
        }

        @Override
        public int correlationId() {
            return caller.correlationId;
        }
    }
}
