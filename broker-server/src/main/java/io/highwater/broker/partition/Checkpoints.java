package io.highwater.broker.partition;

import io.highwater.storage.dir.LogDirectory;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** What a directory's checkpoint files say of its logs; 0 for those they do not name. */
record Checkpoints(
        Map<TopicPartition, Long> recoveryPoints,
        Map<TopicPartition, Long> logStarts,
        Map<TopicPartition, Long> highWatermarks) {
    /** For a log that is new. */
    static final Checkpoints NONE = new Checkpoints(Map.of(), Map.of(), Map.of());

    static Checkpoints of(LogDirectory directory) {
        return new Checkpoints(
                directory.recoveryPoints().readOrEmpty(),
                directory.logStartOffsets().readOrEmpty(),
                directory.highWatermarks().readOrEmpty());
    }

    long recoveryPoint(TopicPartition partition) {
        return recoveryPoints.getOrDefault(partition, 0L);
    }

    long logStart(TopicPartition partition) {
        return logStarts.getOrDefault(partition, 0L);
    }

    long highWatermark(TopicPartition partition) {
        return highWatermarks.getOrDefault(partition, 0L);
    }
}
