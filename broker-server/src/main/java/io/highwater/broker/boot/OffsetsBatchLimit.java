package io.highwater.broker.boot;

import io.highwater.broker.config.LiveConfig;
import io.highwater.controlplane.ClusterImage;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.internals.Topic;

/** {@code max.message.bytes} of {@code __consumer_offsets} as it is now: the topic's own, or the broker's. */
record OffsetsBatchLimit(LiveConfig config, Supplier<ClusterImage> image) implements IntSupplier {
    private static final ConfigResource OFFSETS =
            new ConfigResource(ConfigResource.Type.TOPIC, Topic.GROUP_METADATA_TOPIC_NAME);

    @Override
    public int getAsInt() {
        String own = image.get().config(OFFSETS).get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
        return own == null ? config.current().getInt("message.max.bytes") : Integer.parseInt(own);
    }
}
