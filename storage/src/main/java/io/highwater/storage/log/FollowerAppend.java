package io.highwater.storage.log;

import io.highwater.storage.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * One fetched response on its way into a follower's log: whole batches with offsets and epochs of the leader's, taken as
 * they are if they are sound. The owner's.
 */
final class FollowerAppend {
    private final LogState state;
    private final LogWriter writer;
    private final LogFlush flush;
    private final LogTruncation truncation;
    private final MemoryRecords records;
    private final long nowMs;

    private long firstOffset = -1;
    private long lastOffset = -1;
    private long maxTimestampMs = -1;
    private int validBytes;

    FollowerAppend(
            LogState state,
            LogWriter writer,
            LogFlush flush,
            LogTruncation truncation,
            MemoryRecords records,
            long nowMs) {
        this.state = state;
        this.writer = writer;
        this.flush = flush;
        this.truncation = truncation;
        this.records = records;
        this.nowMs = nowMs;
    }

    /** See {@link PartitionLog#appendAsFollower}. */
    AppendResult run(int leaderEpoch) {
        String unusable = state.whyUnusable();
        if (unusable != null) {
            return AppendResult.refused(Errors.KAFKA_STORAGE_ERROR, unusable);
        }
        AppendResult refusal = check(leaderEpoch);
        if (refusal != null) {
            return refusal;
        }
        if (validBytes == 0) {
            return AppendResult.NOTHING;
        }
        try {
            long start = state.logStartOffset;
            if (firstOffset < state.logEndOffset) {
                truncation.startAt(firstOffset, nowMs);
            }
            ByteBuffer bytes = records.buffer().slice(0, validBytes);
            if (validBytes <= state.settings.segment().bytes()) {
                append(bytes, firstOffset, lastOffset, maxTimestampMs);
            } else {
                appendOneByOne(bytes);
            }
            truncation.raiseStart(start);
        } catch (IOException e) {
            return writer.diskFailed(e);
        }
        return AppendResult.written(firstOffset, lastOffset, -1, flush.isOverdue());
    }

    private @Nullable AppendResult check(int leaderEpoch) {
        for (MutableRecordBatch batch : records.batches()) {
            if (batch.partitionLeaderEpoch() > leaderEpoch) {
                break; // written by a leader that this fetch did not ask; it will come again with its own epoch
            }
            long base = batch.magic() >= RecordBatch.MAGIC_VALUE_V2 ? batch.baseOffset() : batch.lastOffset();
            if (base <= lastOffset || batch.lastOffset() < base) {
                return corrupt("offsets " + base + " to " + batch.lastOffset() + " follow " + lastOffset);
            }
            try {
                batch.ensureValid();
            } catch (CorruptRecordException | InvalidRecordException e) {
                return corrupt(String.valueOf(e.getMessage()));
            }
            if (validBytes == 0) {
                firstOffset = base;
            }
            lastOffset = batch.lastOffset();
            maxTimestampMs = Math.max(maxTimestampMs, batch.maxTimestamp());
            validBytes += batch.sizeInBytes();
        }
        if (validBytes > 0 && firstOffset < state.logEndOffset && !startsInsideBatch()) {
            return corrupt(
                    "the fetched records begin at offset " + firstOffset + ", the log ends at " + state.logEndOffset);
        }
        return null;
    }

    /**
     * The leader's log may start in the middle of a batch. A follower that begins there, empty, gets the whole batch: its file
     * then starts with the batch, its log where it did.
     */
    private boolean startsInsideBatch() {
        return state.logStartOffset == state.logEndOffset && lastOffset >= state.logEndOffset;
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
            long base = batch.magic() >= RecordBatch.MAGIC_VALUE_V2 ? batch.baseOffset() : batch.lastOffset();
            append(bytes.slice(position, size), base, batch.lastOffset(), batch.maxTimestamp());
            position += size;
        }
    }
}
