package io.highwater.storage.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;
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

    private static final byte MAGIC = RecordBatch.MAGIC_VALUE_V2;

    private final RecordSource source = new RecordSource();

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
        RecordChecks checks = new RecordChecks(batch, settings, nowMs);
        try (RecordBytes records = source.open(buffer, codec)) {
            ValidatedRecords refusal = checks.over(records, codec != CompressionType.NONE);
            if (refusal != null) {
                return refusal;
            }
        } catch (InvalidRecordException e) {
            return refused(String.valueOf(e.getMessage()));
        } catch (IOException | KafkaException e) {
            return refused("the records cannot be decompressed: " + e.getMessage());
        }
        return prepare(buffer, batch, codec, settings, checks, nowMs);
    }

    private ValidatedRecords prepare(
            ByteBuffer buffer,
            MutableRecordBatch batch,
            CompressionType codec,
            LogSettings settings,
            RecordChecks checks,
            long nowMs) {
        TimestampType timestampType = settings.messages().timestampType();
        long maxTimestamp = timestampType == TimestampType.LOG_APPEND_TIME ? nowMs : checks.maxTimestamp;
        Compression wanted = settings.messages().compression();
        Compression target =
                wanted == null || batch.isControlBatch() ? Compression.of(codec).build() : wanted;
        if (target.type() == codec && checks.inSequence) {
            // Rewrites the checksum, and only when one of the two differs.
            batch.setMaxTimestamp(timestampType, maxTimestamp);
            return ValidatedRecords.accepted(new PreparedBatch(buffer, batch, checks.offsetDeltaOfMaxTimestamp));
        }
        try (RecordBytes records = source.open(buffer, codec)) {
            BatchRebuild rebuild =
                    new BatchRebuild(buffer, batch, target, settings.messages().maxBytes());
            ByteBuffer rebuilt = rebuild.from(records, timestampType, maxTimestamp);
            return rebuilt == null
                    ? tooLarge(rebuild.sizeBytes(), settings)
                    : ValidatedRecords.accepted(
                            new PreparedBatch(rebuilt, firstBatch(rebuilt), checks.offsetDeltaOfMaxTimestamp));
        } catch (IOException e) {
            throw new IllegalStateException("a batch that was read once could not be read again", e);
        }
    }

    private static ByteBuffer sliceOf(MemoryRecords records, MutableRecordBatch firstBatch) {
        ByteBuffer buffer = records.buffer();
        return buffer.slice(buffer.position(), firstBatch.sizeInBytes());
    }

    private static MutableRecordBatch firstBatch(ByteBuffer bytes) {
        return MemoryRecords.readableRecords(bytes.duplicate())
                .batches()
                .iterator()
                .next();
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
}
