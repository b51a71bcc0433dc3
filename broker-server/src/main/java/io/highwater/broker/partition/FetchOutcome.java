package io.highwater.broker.partition;

import io.highwater.replication.EpochEnd;
import io.highwater.storage.segment.AbortedTxn;
import io.highwater.storage.segment.LogSlice;
import java.util.List;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * What one partition has for a reader. Whoever gets it owes the slice one release.
 *
 * @param error NONE, or why there is nothing; then all offsets are -1
 * @param highWatermark all below is committed
 * @param lastStableOffset no open transaction below it
 * @param logStartOffset first offset kept
 * @param slice the records, possibly none
 * @param aborted transactions to skip, for read_committed only, else null
 * @param diverging where the reader's log went astray, if it did
 * @param preferredReplica the broker that the reader had better ask, {@link #NO_OTHER} if this one
 */
public record FetchOutcome(
        Errors error,
        long highWatermark,
        long lastStableOffset,
        long logStartOffset,
        LogSlice slice,
        @Nullable List<AbortedTxn> aborted,
        @Nullable EpochEnd diverging,
        int preferredReplica) {
    /** There is no better replica to read from. */
    public static final int NO_OTHER = -1;

    /** Nothing, because of {@code error}. */
    public static FetchOutcome refused(Errors error) {
        return new FetchOutcome(error, -1, -1, -1, LogSlice.empty(-1, -1, -1), null, null, NO_OTHER);
    }
}
