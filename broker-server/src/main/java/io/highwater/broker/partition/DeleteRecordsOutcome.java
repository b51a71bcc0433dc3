package io.highwater.broker.partition;

import org.apache.kafka.common.protocol.Errors;

/**
 * What became of a wish to delete the head of a partition.
 *
 * @param error NONE, or why not (yet)
 * @param lowWatermark everything below is gone on all replicas that are alive; -1 on errors
 */
public record DeleteRecordsOutcome(Errors error, long lowWatermark) {
    /** Nothing was done, because of {@code error}. */
    public static DeleteRecordsOutcome refused(Errors error) {
        return new DeleteRecordsOutcome(error, -1);
    }
}
