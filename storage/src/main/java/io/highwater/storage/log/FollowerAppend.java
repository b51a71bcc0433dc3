package io.highwater.storage.log;

import io.highwater.storage.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;

/** One fetched response on its way into a follower's log, with the offsets and epochs of the leader's. The owner's. */
final class FollowerAppend {
    private final LogState state;
    private final LogWriter writer;
    private final LogFlush flush;
    private final LogTruncation truncation;
    private final FetchedRecords fetched;
    private final long nowMs;

    FollowerAppend(
            LogState state,
            LogWriter writer,
            LogFlush flush,
            LogTruncation truncation,
            FetchedRecords fetched,
            long nowMs) {
        this.state = state;
        this.writer = writer;
        this.flush = flush;
        this.truncation = truncation;
        this.fetched = fetched;
        this.nowMs = nowMs;
    }

    /** See {@link PartitionLog#appendAsFollower}. */
    AppendResult run() {
        String unusable = state.whyUnusable();
        if (unusable != null) {
            return AppendResult.refused(Errors.KAFKA_STORAGE_ERROR, unusable);
        }
        if (fetched.whyCorrupt() != null) {
            return corrupt(fetched.whyCorrupt());
        }
        if (fetched.isEmpty()) {
            return AppendResult.NOTHING;
        }
        long first = fetched.firstOffset();
        long last = fetched.lastOffset();
        if (first < state.logEndOffset && !startsInsideBatch()) {
            return corrupt("the fetched records begin at offset " + first + ", the log ends at " + state.logEndOffset);
        }
        try {
            long start = state.logStartOffset;
            if (first < state.logEndOffset) {
                truncation.startAt(first, nowMs);
            }
            if (fetched.sizeBytes() <= state.settings.segment().bytes()) {
                append(fetched.bytes(), first, last, fetched.maxTimestampMs());
            } else {
                appendOneByOne(fetched.bytes());
            }
            truncation.raiseStart(start);
        } catch (IOException e) {
            return writer.diskFailed(e);
        }
        return AppendResult.written(first, last, -1, flush.isOverdue());
    }

    /**
     * The leader's log may start in the middle of a batch. A follower that begins there, empty, gets the whole batch: its file
     * then starts with the batch, its log where it did.
     */
    private boolean startsInsideBatch() {
        return state.logStartOffset == state.logEndOffset && fetched.lastOffset() >= state.logEndOffset;
    }

    private AppendResult corrupt(String why) {
        return AppendResult.refused(Errors.CORRUPT_MESSAGE, "records fetched for " + state.topicPartition + ": " + why);
    }

    private void append(ByteBuffer bytes, long first, long last, long maxTimestampMs) throws IOException {
        Segment segment = writer.segmentFor(first, last, bytes.remaining(), maxTimestampMs, nowMs);
        segment.append(bytes);
        for (MutableRecordBatch batch : MemoryRecords.readableRecords(bytes).batches()) {
            if (batch.magic() >= RecordBatch.MAGIC_VALUE_V2) {
                writer.assignEpoch(batch.partitionLeaderEpoch(), batch.baseOffset());
            }
            writer.written(batch, segment);
        }
        writer.publish(last + 1);
    }

    /** More than a segment holds: the segments then end where ours are full, not where the leader's do. */
    private void appendOneByOne(ByteBuffer bytes) throws IOException {
        int position = 0;
        for (MutableRecordBatch batch : MemoryRecords.readableRecords(bytes).batches()) {
            int size = batch.sizeInBytes();
            append(
                    bytes.slice(position, size),
                    FetchedRecords.baseOffset(batch),
                    batch.lastOffset(),
                    batch.maxTimestamp());
            position += size;
        }
    }
}
