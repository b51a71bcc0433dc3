package io.highwater.broker.api;

import io.highwater.controlplane.ClusterImage;
import java.util.function.Supplier;

/**
 * Whether the cluster speaks the consumer protocol (KIP-848): its feature is finalized and the broker's settings do not forbid it.
 *
 * @param allowed by the settings
 */
record ConsumerProtocol(Supplier<ClusterImage> image, boolean allowed) {
    private static final String FEATURE = "group.version";

    boolean enabled() {
        return allowed && image.get().finalizedFeature(FEATURE) >= 1;
    }
}
