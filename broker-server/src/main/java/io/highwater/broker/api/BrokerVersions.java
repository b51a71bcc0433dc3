package io.highwater.broker.api;

import java.util.Map;

/**
 * What ApiVersions tells besides the APIs: who this node is and the feature levels of its cluster.
 *
 * @param clusterId the cluster this node belongs to
 * @param nodeId this node
 * @param supported by name, the levels this node can work with
 * @param finalized by name, the level the cluster works with; level 0 is not told
 * @param finalizedEpoch the metadata offset that {@code finalized} comes from; -1 before the first metadata is known
 */
public record BrokerVersions(
        String clusterId,
        int nodeId,
        Map<String, FeatureRange> supported,
        Map<String, Short> finalized,
        long finalizedEpoch) {

    /**
     * The levels of one feature.
     *
     * @param min inclusive
     * @param max inclusive
     */
    public record FeatureRange(short min, short max) {}

    /** Copies the maps. */
    public BrokerVersions {
        supported = Map.copyOf(supported);
        finalized = Map.copyOf(finalized);
    }
}
