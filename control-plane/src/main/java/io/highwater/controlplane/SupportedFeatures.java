package io.highwater.controlplane;

import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.feature.SupportedVersionRange;
import org.apache.kafka.controller.QuorumFeatures;
import org.apache.kafka.metadata.VersionRange;

/** The feature levels this build can run with. */
final class SupportedFeatures {
    /** By feature name. */
    static final Map<String, SupportedVersionRange> RANGES = ranges();

    private SupportedFeatures() {}

    /** As the controller's own classes want them. */
    static Map<String, VersionRange> library() {
        return QuorumFeatures.defaultSupportedFeatureMap(false);
    }

    private static Map<String, SupportedVersionRange> ranges() {
        Map<String, SupportedVersionRange> ranges = new TreeMap<>();
        library().forEach((name, range) -> ranges.put(name, new SupportedVersionRange(range.min(), range.max())));
        return java.util.Collections.unmodifiableMap(ranges);
    }
}
