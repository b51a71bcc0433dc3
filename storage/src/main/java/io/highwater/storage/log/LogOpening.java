package io.highwater.storage.log;

import java.nio.file.Path;
import org.apache.kafka.common.TopicPartition;

/**
 * What must be known to open a log.
 *
 * @param directory the partition's directory; made if it is missing
 * @param topicPartition whose log it is
 * @param settings of the topic
 * @param logStartOffset from the log directory's checkpoint, 0 if it has none
 * @param recoveryPoint from the log directory's checkpoint, 0 if it has none: all below it had been flushed
 * @param cleanShutdown whether the directory was closed in order, so that what is in it can be believed
 * @param producerExpirationMs how long an idle producer is remembered
 * @param progress hears how a recovery goes on
 */
public record LogOpening(
        Path directory,
        TopicPartition topicPartition,
        LogSettings settings,
        long logStartOffset,
        long recoveryPoint,
        boolean cleanShutdown,
        long producerExpirationMs,
        RecoveryProgress progress) {

    /** Hears of recoveries, which may take minutes; called on the thread that opens the log. */
    @FunctionalInterface
    public interface RecoveryProgress {
        /** Nobody listens. */
        RecoveryProgress NONE = (topicPartition, recovered, total) -> {};

        /** {@code recovered} of {@code total} segments that may have been cut by the crash have been read. */
        void onSegment(TopicPartition topicPartition, int recovered, int total);
    }
}
