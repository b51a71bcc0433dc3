package io.highwater.storage.log;

import java.io.IOException;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * What became of one append.
 *
 * @param error NONE if the records are in the log, now or since an earlier attempt; else nothing was written
 * @param message a sentence about the refusal; null if the error says it all
 * @param firstOffset of the records, -1 if refused
 * @param lastOffset of the records (inclusive), -1 if refused
 * @param logAppendTimeMs the time stamped on them under LogAppendTime, else -1
 * @param duplicate whether they were there already; offsets and time are those of the first attempt
 * @param mustFlush whether {@code flush.messages} demands a {@link PartitionLog#flush} before anybody is told of the append
 * @param diskFailure what the disk said, with KAFKA_STORAGE_ERROR; the log itself is as it was before and can go on
 */
public record AppendResult(
        Errors error,
        @Nullable String message,
        long firstOffset,
        long lastOffset,
        long logAppendTimeMs,
        boolean duplicate,
        boolean mustFlush,
        @Nullable IOException diskFailure) {
    /** There was nothing to append, and so all went well. */
    public static final AppendResult NOTHING = written(-1, -1, -1, false);

    static AppendResult written(long firstOffset, long lastOffset, long logAppendTimeMs, boolean mustFlush) {
        return new AppendResult(Errors.NONE, null, firstOffset, lastOffset, logAppendTimeMs, false, mustFlush, null);
    }

    static AppendResult duplicate(long firstOffset, long lastOffset, long logAppendTimeMs) {
        return new AppendResult(Errors.NONE, null, firstOffset, lastOffset, logAppendTimeMs, true, false, null);
    }

    static AppendResult refused(Errors error, @Nullable String message) {
        return new AppendResult(error, message, -1, -1, -1, false, false, null);
    }

    /** Nothing was written, or is to be seen of it, because of the disk. */
    public static AppendResult diskFailed(IOException cause) {
        return new AppendResult(Errors.KAFKA_STORAGE_ERROR, cause.getMessage(), -1, -1, -1, false, false, cause);
    }

    /** Whether nothing was appended because of {@link #error}. */
    public boolean isRefused() {
        return error != Errors.NONE;
    }
}
