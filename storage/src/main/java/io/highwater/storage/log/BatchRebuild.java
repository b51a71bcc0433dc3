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
import org.jspecify.annotations.Nullable;

/**
 * Writes a checked batch anew, in another codec or with its records numbered in sequence. Record bodies stream through a small
 * buffer: no record is ever held whole, and the output stops at the largest batch the topic takes.
 */
final class BatchRebuild {
    private final MutableRecordBatch source;
    private final Compression target;
    private final int maxBytes;
    private final ByteBufferOutputStream output;

    BatchRebuild(ByteBuffer sourceBytes, MutableRecordBatch source, Compression target, int maxBytes) {
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

    private ByteBuffer withHeader(int count, TimestampType timestampType, long maxTimestamp) {
        ByteBuffer batch = output.buffer();
        batch.flip();
        DefaultRecordBatch.writeHeader(
                batch,
                0,
                count - 1,
                batch.limit(),
                source.magic(),
                target.type(),
                timestampType,
                ((DefaultRecordBatch) source).baseTimestamp(),
                maxTimestamp,
                source.producerId(),
                source.producerEpoch(),
                source.baseSequence(),
                source.isTransactional(),
                source.isControlBatch(),
                false,
                RecordBatch.NO_PARTITION_LEADER_EPOCH,
                count);
        batch.rewind();
        return batch.slice();
    }
}
