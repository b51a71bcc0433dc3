package io.highwater.storage.log;

import io.highwater.storage.segment.AbortedTxn;
import io.highwater.storage.segment.LogSlice;
import io.highwater.storage.segment.Segment;
import io.highwater.storage.segment.TimestampedOffset;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.jspecify.annotations.Nullable;

/** What may be asked of a log without its lock. Hot. */
final class LogReads {
    private final LogState state;
    private final SegmentList segments;

    LogReads(LogState state) {
        this.state = state;
        this.segments = state.segments;
    }

    /** See {@link PartitionLog#read}. */
    @Nullable
    LogSlice read(long fetchOffset, int maxBytes, long upperBound, boolean minOneBatch) throws IOException {
        checkUsable();
        long end = state.logEndOffset;
        if (fetchOffset < state.logStartOffset || fetchOffset > end) {
            return null;
        }
        long bound = Math.min(upperBound, end);
        if (fetchOffset >= bound) {
            return LogSlice.empty(fetchOffset, -1, -1);
        }
        Segment segment = leased(fetchOffset);
        while (segment != null) {
            LogSlice slice = readFrom(segment, fetchOffset, maxBytes, bound, minOneBatch);
            if (slice != null) {
                return slice;
            }
            segment = leasedBehind(segment);
        }
        return LogSlice.empty(fetchOffset, -1, -1);
    }

    /** See {@link PartitionLog#abortedTransactions}. */
    List<AbortedTxn> abortedTransactions(LogSlice slice) throws IOException {
        List<AbortedTxn> found = new ArrayList<>();
        if (slice.isEmpty()) {
            return found;
        }
        Segment first = Segment.of(slice);
        long behind = first.offsetBehind(slice);
        long upperBound = behind >= 0 ? behind : first.endOffset();
        boolean complete = first.collectAborted(slice.fetchOffset(), upperBound, found);
        Segment next = complete ? null : leasedBehind(first.baseOffset());
        while (next != null) {
            long base = next.baseOffset();
            try {
                complete = next.collectAborted(slice.fetchOffset(), upperBound, found);
            } finally {
                next.release();
            }
            next = complete ? null : leasedBehind(base);
        }
        return found;
    }

    TimestampedOffset earliest() {
        long start = state.logStartOffset;
        return new TimestampedOffset(-1, start, state.epochs.epochAt(start));
    }

    TimestampedOffset latest() {
        return new TimestampedOffset(-1, state.logEndOffset, state.epochs.latestEpoch());
    }

    /** See {@link PartitionLog#offsetOfMaxTimestamp}. */
    @Nullable
    TimestampedOffset ofMaxTimestamp() throws IOException {
        checkUsable();
        long start = state.logStartOffset;
        TimestampedOffset largest = null;
        Segment segment = leased(start);
        while (segment != null) {
            long base = segment.baseOffset();
            try {
                if (largest == null || segment.maxTimestampMs() > largest.timestampMs()) {
                    TimestampedOffset found = segment.findLargestTimestamp(maxRecordBytes());
                    largest = found == null ? largest : found;
                }
            } finally {
                segment.release();
            }
            segment = leasedBehind(base);
        }
        return largest;
    }

    /** See {@link PartitionLog#offsetForTimestamp}. */
    @Nullable
    TimestampedOffset ofTimestamp(long timestampMs) throws IOException {
        checkUsable();
        long start = state.logStartOffset;
        Segment segment = leased(start);
        while (segment != null) {
            long base = segment.baseOffset();
            try {
                TimestampedOffset found = segment.maxTimestampMs() >= timestampMs
                        ? segment.find(timestampMs, start, maxRecordBytes())
                        : null;
                if (found != null) {
                    return found;
                }
            } finally {
                segment.release();
            }
            segment = leasedBehind(base);
        }
        return null;
    }

    /** Whether a fetch from this offset most likely needs no disk; costs nothing. */
    boolean isHot(long fetchOffset) {
        return segments.active().isHotFrom(fetchOffset);
    }

    private @Nullable LogSlice readFrom(
            Segment segment, long fetchOffset, int maxBytes, long bound, boolean minOneBatch) throws IOException {
        boolean leaseTaken = false;
        try {
            LogSlice slice = segment.read(fetchOffset, maxBytes, bound, minOneBatch);
            leaseTaken = slice != null && !slice.isEmpty();
            return slice;
        } finally {
            if (!leaseTaken) {
                segment.release();
            }
        }
    }

    /** The segment that covers {@code offset}, or the first one; leased. */
    private @Nullable Segment leased(long offset) {
        while (true) {
            Segment segment = segments.floorOrFirst(offset);
            if (segment == null || segment.tryLease()) {
                return segment;
            }
            checkUsable(); // it has left the list since; there is another
        }
    }

    private @Nullable Segment leasedBehind(Segment segment) {
        return leasedBehind(segment.baseOffset());
    }

    private @Nullable Segment leasedBehind(long baseOffset) {
        while (true) {
            Segment next = segments.higher(baseOffset);
            if (next == null || next.tryLease()) {
                return next;
            }
            checkUsable();
        }
    }

    private int maxRecordBytes() {
        return state.settings.messages().maxDecompressedBytes();
    }

    private void checkUsable() {
        String unusable = state.whyUnusable();
        if (unusable != null) {
            throw new KafkaStorageException(unusable);
        }
    }
}
