package io.highwater.broker.view;

import io.highwater.controlplane.ClusterImage;
import java.util.function.Function;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;

/**
 * How topics are set: what a topic says itself, else what this broker's settings say. Any thread.
 *
 * @param brokerSetting the value of a setting of the broker now, by its name
 */
public record TopicSettings(Function<String, @Nullable Object> brokerSetting) {
    private static final String MIN_INSYNC_REPLICAS = "min.insync.replicas";
    private static final String UNCLEAN = "unclean.leader.election.enable";

    int minInsyncReplicas(ClusterImage image, String topic) {
        String own = own(image, topic, MIN_INSYNC_REPLICAS);
        Object value = own == null ? brokerSetting.apply(MIN_INSYNC_REPLICAS) : own;
        return value == null ? 1 : Integer.parseInt(value.toString());
    }

    boolean electsUncleanly(ClusterImage image, String topic) {
        String own = own(image, topic, UNCLEAN);
        Object value = own == null ? brokerSetting.apply(UNCLEAN) : own;
        return value != null && Boolean.parseBoolean(value.toString());
    }

    private static @Nullable String own(ClusterImage image, String topic, String name) {
        return image.config(new ConfigResource(ConfigResource.Type.TOPIC, topic))
                .get(name);
    }
}
