package io.highwater.broker.partition;

import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** What the newest cluster image says exists; asked only when a partition is not hosted here. Any thread. */
public interface TopicNames {
    /** True if the image has that topic with a partition of that index, wherever it is hosted. */
    boolean exists(String topic, int index);

    /** The name of the topic with that id, null if the image has none. */
    @Nullable
    String nameOf(Uuid topicId);
}
