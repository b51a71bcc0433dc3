package io.highwater.storage.log;

import io.highwater.storage.log.ValidatedRecords.BadRecord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks a batch before the partition's lock is taken and prepares it so that under the lock only its offset and leader epoch are
 * left to write. Stateless; any thread. Hot: a batch that keeps its codec is read once for its checksum and once record by record,
 * nothing is copied and nothing allocated per record.
 *
 * <p>The sender's bytes may be changed in place, also when the answer is a refusal.
 */
public final class BatchValidator {
    /** More offending records than this are counted but not named. */
    public static final int BAD_RECORDS_MAX = 1000;

    /**
     * A compressed batch may inflate to this many times the topic's largest batch (of at least {@link #INFLATION_BASE_BYTES}), all
     * records together. Kafka bounds the single record only, so that one small batch can keep a broker busy for seconds.
     */
    static final int INFLATION_MAX = 256;

    static final int INFLATION_BASE_BYTES = 1 << 20;

    private static final byte MAGIC = RecordBatch.MAGIC_VALUE_V2;

    private final ThreadLocal<BufferSupplier> decompressionBuffers = ThreadLocal.withInitial(BufferSupplier::create);

    /**
     * Checks the records of one partition's append.
     *
     * @param records exactly one complete batch; what follows it incomplete is ignored
     * @param settings of the topic
     * @param origin who sends; only {@link AppendOrigin#COORDINATOR} may send control batches
     * @param nowMs the broker's clock: bounds of CreateTime, value of LogAppendTime
     */
    public ValidatedRecords validate(MemoryRecords records, LogSettings settings, AppendOrigin origin, long nowMs) {
        try {
            Iterator<MutableRecordBatch> batches = records.batches().iterator();
            if (!batches.hasNext()) {
                return refused("the records hold no complete batch");
            }
            MutableRecordBatch batch = batches.next();
            ValidatedRecords refusal = checkBytes(batch, settings, origin);
            if (refusal == null && batches.hasNext()) {
                refusal = refused("the records hold more than one batch");
            }
            if (refusal == null && origin == AppendOrigin.CLIENT) {
                refusal = checkHeader(batch);
            }
            return refusal != null ? refusal : checkRecords(sliceOf(records, batch), batch, settings, nowMs);
        } catch (CorruptRecordException e) {
            return ValidatedRecords.refused(Errors.CORRUPT_MESSAGE, String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable ValidatedRecords checkBytes(
            MutableRecordBatch batch, LogSettings settings, AppendOrigin origin) {
        if (batch.magic() != MAGIC) {
            return refused("the batch has magic " + batch.magic() + ", not " + MAGIC);
        }
        if (origin == AppendOrigin.CLIENT && batch.baseOffset() != 0) {
            return refused("the base offset of a produced batch is 0, not " + batch.baseOffset());
        }
        if (batch.sizeInBytes() > settings.messages().maxBytes()) {
            return tooLarge(batch.sizeInBytes(), settings);
        }
        if (!batch.isValid()) {
            return ValidatedRecords.refused(
                    Errors.CORRUPT_MESSAGE,
                    "the checksum of the batch does not match its bytes (stored " + batch.checksum() + ")");
        }
        return null;
    }

    private static @Nullable ValidatedRecords checkHeader(MutableRecordBatch batch) {
        long countByOffsets = batch.lastOffset() - batch.baseOffset() + 1;
        int count = batch.countOrNull();
        if (countByOffsets <= 0) {
            return refused("the last offset of the batch lies before its first");
        }
        if (count <= 0) {
            return refused("the batch declares " + count + " records");
        }
        if (count != countByOffsets) {
            return refused("the batch declares " + count + " records and offsets for " + countByOffsets);
        }
        if (batch.isControlBatch()) {
            return refused("a producer may not write control batches");
        }
        if (batch.hasProducerId() && batch.baseSequence() < 0) {
            return refused("the batch of producer " + batch.producerId() + " has the sequence " + batch.baseSequence());
        }
        return null;
    }

    private ValidatedRecords checkRecords(
            ByteBuffer buffer, MutableRecordBatch batch, LogSettings settings, long nowMs) {
        CompressionType codec;
        try {
            codec = batch.compressionType();
        } catch (IllegalArgumentException e) {
            return ValidatedRecords.refused(
                    Errors.UNSUPPORTED_COMPRESSION_TYPE, "the batch names a codec that does not exist");
        }
        Walk walk = new Walk(batch, settings, nowMs);
        try (InputStream inflated = inflate(buffer, codec)) {
            RecordCursor cursor = new RecordCursor(
                    codec == CompressionType.NONE ? RecordBytes.of(recordsOf(buffer)) : RecordBytes.of(inflated));
            ValidatedRecords refusal = walk.over(cursor, codec);
            if (refusal != null) {
                return refusal;
            }
        } catch (InvalidRecordException e) {
            return refused(String.valueOf(e.getMessage()));
        } catch (IOException | KafkaException e) {
            return refused("the records cannot be decompressed: " + e.getMessage());
        }
        return prepare(buffer, batch, codec, settings, walk, nowMs);
    }

    private ValidatedRecords prepare(
            ByteBuffer buffer,
            MutableRecordBatch batch,
            CompressionType codec,
            LogSettings settings,
            Walk walk,
            long nowMs) {
        TimestampType timestampType = settings.messages().timestampType();
        long maxTimestamp = timestampType == TimestampType.LOG_APPEND_TIME ? nowMs : walk.maxTimestamp;
        Compression wanted = settings.messages().compression();
        Compression target =
                wanted == null || batch.isControlBatch() ? Compression.of(codec).build() : wanted;
        if (target.type() == codec && walk.inSequence) {
            // Rewrites the checksum, and only when one of the two differs.
            batch.setMaxTimestamp(timestampType, maxTimestamp);
            return ValidatedRecords.accepted(new PreparedBatch(buffer, walk.offsetDeltaOfMaxTimestamp));
        }
        try (InputStream inflated = inflate(buffer, codec)) {
            RecordBytes source =
                    codec == CompressionType.NONE ? RecordBytes.of(recordsOf(buffer)) : RecordBytes.of(inflated);
            BatchRebuild rebuild =
                    new BatchRebuild(buffer, batch, target, settings.messages().maxBytes());
            ByteBuffer rebuilt = rebuild.from(source, timestampType, maxTimestamp);
            return rebuilt == null
                    ? tooLarge(rebuild.sizeBytes(), settings)
                    : ValidatedRecords.accepted(new PreparedBatch(rebuilt, walk.offsetDeltaOfMaxTimestamp));
        } catch (IOException e) {
            throw new IllegalStateException("a batch that was read once could not be read again", e);
        }
    }

    private InputStream inflate(ByteBuffer buffer, CompressionType codec) throws IOException {
        if (codec == CompressionType.NONE) {
            return InputStream.nullInputStream();
        }
        ByteBuffer compressed = recordsOf(buffer);
        if (codec == CompressionType.SNAPPY) {
            SnappyFraming.check(compressed.duplicate());
        }
        return Compression.of(codec).build().wrapForInput(compressed, MAGIC, decompressionBuffers.get());
    }

    private static ByteBuffer recordsOf(ByteBuffer batch) {
        ByteBuffer records = batch.duplicate();
        records.position(DefaultRecordBatch.RECORD_BATCH_OVERHEAD);
        return records;
    }

    private static ByteBuffer sliceOf(MemoryRecords records, MutableRecordBatch firstBatch) {
        ByteBuffer buffer = records.buffer();
        return buffer.slice(buffer.position(), firstBatch.sizeInBytes());
    }

    private static ValidatedRecords refused(String message) {
        return ValidatedRecords.refused(Errors.INVALID_RECORD, message);
    }

    private static ValidatedRecords tooLarge(long sizeBytes, LogSettings settings) {
        return ValidatedRecords.refused(
                Errors.MESSAGE_TOO_LARGE,
                "the batch has " + sizeBytes + " bytes; max.message.bytes is "
                        + settings.messages().maxBytes());
    }

    /** One pass over the records: which are bad, and what the header must say of the good. */
    private static final class Walk {
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

        Walk(MutableRecordBatch batch, LogSettings settings, long nowMs) {
            this.batch = batch;
            this.settings = settings;
            this.nowMs = nowMs;
            this.logAppendTimeTopic = settings.messages().timestampType() == TimestampType.LOG_APPEND_TIME;
            this.logAppendTimeBatch = batch.timestampType() == TimestampType.LOG_APPEND_TIME;
        }

        @Nullable
        ValidatedRecords over(RecordCursor cursor, CompressionType codec) throws IOException {
            boolean compressed = codec != CompressionType.NONE;
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
            if (badRecords.size() < BAD_RECORDS_MAX) {
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
}
