package io.highwater.broker.partition;

import org.apache.kafka.common.TopicPartition;

/**
 * Told when records become committed. Calls come from whatever thread moved the high watermark, after the partition's lock
 * was released; two of them may overtake each other, so a listener keeps the highest. Must return quickly.
 */
public interface HighWatermarkListener {
    /** Everything below {@code highWatermark} (exclusive) is committed. */
    void onHighWatermark(TopicPartition partition, long highWatermark);
}
