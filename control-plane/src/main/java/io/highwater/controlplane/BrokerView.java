package io.highwater.controlplane;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * One registered broker. Immutable.
 *
 * @param id its node id
 * @param brokerEpoch the offset of its registration record: grows with each restart
 * @param incarnationId random per process
 * @param fenced registered, but not (or no longer) trusted to serve
 * @param inControlledShutdown its leaderships are being moved away
 * @param rack where it stands, or null
 * @param endpoints what clients should connect to, by listener name
 * @param directories the ids of its log directories that are online
 */
public record BrokerView(
        int id,
        long brokerEpoch,
        Uuid incarnationId,
        boolean fenced,
        boolean inControlledShutdown,
        @Nullable String rack,
        Map<String, Endpoint> endpoints,
        List<Uuid> directories) {

    public BrokerView {
        endpoints = Map.copyOf(endpoints);
        directories = List.copyOf(directories);
    }

    /** Whether it can lead partitions: neither fenced nor on its way out. */
    public boolean active() {
        return !fenced && !inControlledShutdown;
    }

    /** The first of its endpoints by the name of the listener, that listener apart; null if it has no other. */
    public @Nullable Endpoint firstEndpointBut(String listenerName) {
        return endpoints.entrySet().stream()
                .filter(each -> !each.getKey().equals(listenerName))
                .min(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .orElse(null);
    }

    /** The broker as a client of {@code listenerName} should see it; empty if it has no such listener. */
    public Optional<Node> node(String listenerName) {
        Endpoint endpoint = endpoints.get(listenerName);
        return endpoint == null
                ? Optional.empty()
                : Optional.of(new Node(id, endpoint.host(), endpoint.port(), rack, fenced));
    }
}
