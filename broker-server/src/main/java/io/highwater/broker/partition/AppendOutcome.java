package io.highwater.broker.partition;

import io.highwater.storage.log.AppendResult;
import io.highwater.storage.log.ValidatedRecords;
import java.util.List;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * What became of one write to one partition.
 *
 * @param error NONE if the records are in the log (or were already, see the idempotent producer), else why not; with
 *     NOT_ENOUGH_REPLICAS_AFTER_APPEND and REQUEST_TIMED_OUT they are in the log but not known to be committed
 * @param baseOffset offset of the first record, -1 on errors before the append
 * @param nextOffset one past the last record, -1 on errors before the append
 * @param logAppendTimeMs the time stamped on the records under LogAppendTime, else -1
 * @param logStartOffset of the partition at the time, -1 if not known
 * @param recordErrors the records to blame, if the error is about single records
 * @param errorMessage a sentence for the client, null if there is nothing to add to the error
 */
public record AppendOutcome(
        Errors error,
        long baseOffset,
        long nextOffset,
        long logAppendTimeMs,
        long logStartOffset,
        List<BadRecord> recordErrors,
        @Nullable String errorMessage) {

    /** One record that caused a refusal: its index within the batch, and why. */
    public record BadRecord(int batchIndex, String message) {}

    /** Nothing was done, because of {@code error}. */
    public static AppendOutcome refused(Errors error, @Nullable String message) {
        return new AppendOutcome(error, -1, -1, -1, -1, List.of(), message);
    }

    static AppendOutcome refused(ValidatedRecords refusal, long logStartOffset) {
        List<BadRecord> blamed = refusal.badRecords().stream()
                .map(record -> new BadRecord(record.index(), record.message()))
                .toList();
        return new AppendOutcome(refusal.error(), -1, -1, -1, logStartOffset, blamed, refusal.message());
    }

    static AppendOutcome of(AppendResult result, long logStartOffset) {
        long nextOffset = result.isRefused() ? -1 : result.lastOffset() + 1;
        return new AppendOutcome(
                result.error(),
                result.firstOffset(),
                nextOffset,
                result.logAppendTimeMs(),
                logStartOffset,
                List.of(),
                result.message());
    }

    AppendOutcome withError(Errors newError) {
        return new AppendOutcome(
                newError, baseOffset, nextOffset, logAppendTimeMs, logStartOffset, recordErrors, errorMessage);
    }
}
