package io.highwater.storage.log;

import io.highwater.storage.log.ValidatedRecords.BadRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.jspecify.annotations.Nullable;

/** One pass over the records: which are bad, and what the header must say of the good. */
final class RecordChecks {
    /**
     * A compressed batch may inflate to this many times the topic's largest batch (of at least {@link #INFLATION_BASE_BYTES}), all
     * records together. Kafka bounds the single record only, so that one small batch can keep a broker busy for seconds.
     */
    static final int INFLATION_MAX = 256;

    static final int INFLATION_BASE_BYTES = 1 << 20;

    private final MutableRecordBatch batch;
    private final LogSettings settings;
    private final long nowMs;
    private final boolean logAppendTimeTopic;
    private final boolean logAppendTimeBatch;
    private final List<BadRecord> badRecords = new ArrayList<>(0);
    private int badCount;
    private boolean badTimestamp;

    long maxTimestamp = RecordBatch.NO_TIMESTAMP;
    int offsetDeltaOfMaxTimestamp;

    /** Whether the records number themselves 0, 1, 2 and so on; some old clients do not, and their batches are rebuilt. */
    boolean inSequence = true;

    RecordChecks(MutableRecordBatch batch, LogSettings settings, long nowMs) {
        this.batch = batch;
        this.settings = settings;
        this.nowMs = nowMs;
        this.logAppendTimeTopic = settings.messages().timestampType() == TimestampType.LOG_APPEND_TIME;
        this.logAppendTimeBatch = batch.timestampType() == TimestampType.LOG_APPEND_TIME;
    }

    @Nullable
    ValidatedRecords over(RecordBytes records, boolean compressed) throws IOException {
        RecordCursor cursor = new RecordCursor(records);
        int maxBodyBytes = compressed ? settings.messages().maxDecompressedBytes() : Integer.MAX_VALUE;
        long maxInflatedBytes =
                (long) INFLATION_MAX * Math.max(settings.messages().maxBytes(), INFLATION_BASE_BYTES);
        long baseTimestamp = ((DefaultRecordBatch) batch).baseTimestamp();
        int count = batch.countOrNull();
        for (int index = 0; index < count; index++) {
            cursor.begin(maxBodyBytes);
            if (compressed && cursor.inflatedBytes() + cursor.bodyBytes > maxInflatedBytes) {
                return ValidatedRecords.refused(
                        Errors.MESSAGE_TOO_LARGE, "the batch inflates to more than " + maxInflatedBytes + " bytes");
            }
            cursor.finish();
            long timestamp = logAppendTimeBatch ? batch.maxTimestamp() : baseTimestamp + cursor.timestampDelta;
            check(index, cursor.hasKey, timestamp);
            if (timestamp > maxTimestamp) {
                maxTimestamp = timestamp;
                offsetDeltaOfMaxTimestamp = index;
            }
            inSequence &= cursor.offsetDelta == index;
        }
        cursor.expectEnd();
        return badCount == 0 ? null : refusal();
    }

    private void check(int index, boolean hasKey, long timestamp) {
        if (!hasKey && settings.compaction().compact()) {
            bad(index, "a compacted topic takes no record without a key");
        } else if (!logAppendTimeTopic && timestamp != RecordBatch.NO_TIMESTAMP) {
            long ageMs = nowMs - timestamp;
            if (ageMs > settings.messages().timestampBeforeMaxMs()
                    || -ageMs > settings.messages().timestampAfterMaxMs()) {
                badTimestamp = true;
                bad(index, "timestamp " + timestamp + " is not within " + window());
            }
        } else if (logAppendTimeBatch) {
            badTimestamp = true;
            bad(index, "a producer may not set the timestamp type LogAppendTime");
        }
    }

    private String window() {
        return "[" + (nowMs - settings.messages().timestampBeforeMaxMs()) + ", "
                + (nowMs + settings.messages().timestampAfterMaxMs()) + "]";
    }

    private void bad(int index, String message) {
        badCount++;
        if (badRecords.size() < BatchValidator.BAD_RECORDS_MAX) {
            badRecords.add(new BadRecord(index, message));
        }
    }

    private ValidatedRecords refusal() {
        return ValidatedRecords.refused(
                badTimestamp ? Errors.INVALID_TIMESTAMP : Errors.INVALID_RECORD,
                badCount + " of the batch's records are refused, the first (record "
                        + badRecords.get(0).index() + "): "
                        + badRecords.get(0).message(),
                badRecords);
    }
}
