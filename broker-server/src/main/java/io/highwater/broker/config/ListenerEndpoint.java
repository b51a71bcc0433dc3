package io.highwater.broker.config;

import org.apache.kafka.common.security.auth.SecurityProtocol;

/**
 * One entry of {@code listeners} or {@code advertised.listeners}.
 *
 * @param name upper case
 * @param protocol what is spoken there
 * @param host empty means every interface
 * @param port 0 means that the system picks one
 */
public record ListenerEndpoint(String name, SecurityProtocol protocol, String host, int port) {
    /** The same listener at another address, for instance the port that the system picked. */
    public ListenerEndpoint at(String newHost, int newPort) {
        return new ListenerEndpoint(name, protocol, newHost, newPort);
    }

    @Override
    public String toString() {
        return name + "://" + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
