package io.highwater.storage.log;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;
import org.apache.kafka.common.utils.internals.ByteUtils;
import org.apache.kafka.common.utils.internals.Crc32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes a checked batch anew, in another codec or with its records numbered in sequence. Record bodies stream through a small
 * buffer: no record is ever held whole, and the output stops at the largest batch the topic takes.
 */
final class BatchRebuild {
    private static final int LENGTH_AT = 8;
    private static final int LENGTH_EXCLUDES = 12;
    private static final int ATTRIBUTES_AT = 21;
    private static final int MAX_TIMESTAMP_AT = 35;

    /** Transactional and control; codec and timestamp type are set anew, a delete horizon is the cleaner's alone. */
    private static final int KEPT_ATTRIBUTES = 0x30;

    private static final int LOG_APPEND_TIME_BIT = 0x08;

    private final ByteBuffer sourceBytes;
    private final MutableRecordBatch source;
    private final Compression target;
    private final int maxBytes;
    private final ByteBufferOutputStream output;

    BatchRebuild(ByteBuffer sourceBytes, MutableRecordBatch source, Compression target, int maxBytes) {
        this.sourceBytes = sourceBytes;
        this.source = source;
        this.target = target;
        this.maxBytes = maxBytes;
        this.output = new ByteBufferOutputStream(
                Math.max(DefaultRecordBatch.RECORD_BATCH_OVERHEAD, Math.min(maxBytes, 2 * sourceBytes.limit())));
    }

    /** The whole new batch, or null if it would be larger than allowed. */
    @Nullable
    ByteBuffer from(RecordBytes records, TimestampType timestampType, long maxTimestamp) throws IOException {
        int count = source.countOrNull();
        output.position(DefaultRecordBatch.RECORD_BATCH_OVERHEAD);
        try (DataOutputStream body = new DataOutputStream(target.wrapForOutput(output, RecordBatch.MAGIC_VALUE_V2))) {
            RecordCursor cursor = new RecordCursor(records);
            for (int index = 0; index < count; index++) {
                cursor.begin(Integer.MAX_VALUE);
                int growth = ByteUtils.sizeOfVarint(index) - ByteUtils.sizeOfVarint(cursor.offsetDelta);
                ByteUtils.writeVarint(cursor.bodyBytes + growth, body);
                body.write(cursor.attributes);
                ByteUtils.writeVarlong(cursor.timestampDelta, body);
                ByteUtils.writeVarint(index, body);
                cursor.copyRest(body);
                if (sizeBytes() > maxBytes) {
                    return null;
                }
            }
        }
        return sizeBytes() > maxBytes ? null : withHeader(count, timestampType, maxTimestamp);
    }

    /** Bytes written so far; a compressor may hold back more. */
    int sizeBytes() {
        return output.position();
    }

    /** The source's header, with what is different: the producer's fields and the base timestamp stay whatever they are. */
    private ByteBuffer withHeader(int count, TimestampType timestampType, long maxTimestamp) {
        ByteBuffer batch = output.buffer();
        batch.flip();
        batch.put(0, sourceBytes, 0, DefaultRecordBatch.RECORD_BATCH_OVERHEAD);
        int attributes = (sourceBytes.getShort(ATTRIBUTES_AT) & KEPT_ATTRIBUTES) | target.type().id;
        if (timestampType == TimestampType.LOG_APPEND_TIME) {
            attributes |= LOG_APPEND_TIME_BIT;
        }
        batch.putInt(LENGTH_AT, batch.limit() - LENGTH_EXCLUDES);
        batch.putShort(ATTRIBUTES_AT, (short) attributes);
        batch.putInt(DefaultRecordBatch.LAST_OFFSET_DELTA_OFFSET, count - 1);
        batch.putLong(MAX_TIMESTAMP_AT, maxTimestamp);
        batch.putInt(DefaultRecordBatch.CRC_OFFSET, (int)
                Crc32C.compute(batch, ATTRIBUTES_AT, batch.limit() - ATTRIBUTES_AT));
        return batch.slice();
    }
}
