package io.highwater.broker.partition;

import org.apache.kafka.common.protocol.Errors;

/**
 * An offset found by timestamp, or where an epoch ends.
 *
 * @param error NONE (also if nothing was found: then offset is -1) or why there is no answer
 * @param offset the offset, -1 if none
 * @param timestampMs of the record at that offset, -1 if none
 * @param leaderEpoch of that offset, -1 if none
 */
public record OffsetOutcome(Errors error, long offset, long timestampMs, int leaderEpoch) {
    static final OffsetOutcome NOTHING = new OffsetOutcome(Errors.NONE, -1, -1, -1);

    /** Nothing was done, because of {@code error}. */
    public static OffsetOutcome refused(Errors error) {
        return new OffsetOutcome(error, -1, -1, -1);
    }
}
