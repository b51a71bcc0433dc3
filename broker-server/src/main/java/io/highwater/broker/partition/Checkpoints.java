package io.highwater.broker.partition;

import io.highwater.storage.dir.LogDirectory;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** What a directory's checkpoint files say of its logs; 0 for those they do not name. */
record Checkpoints(
        Map<TopicPartition, Long> recoveryPoints,
        Map<TopicPartition, Long> logStarts,
        Map<TopicPartition, Long> highWatermarks) {
    static Checkpoints of(LogDirectory directory) {
        return new Checkpoints(
                directory.recoveryPoints().readOrEmpty(),
                directory.logStartOffsets().readOrEmpty(),
                directory.highWatermarks().readOrEmpty());
    }

    LastKnown of(TopicPartition partition, boolean clean) {
        return new LastKnown(
                recoveryPoints.getOrDefault(partition, 0L),
                logStarts.getOrDefault(partition, 0L),
                highWatermarks.getOrDefault(partition, 0L),
                clean);
    }
}
