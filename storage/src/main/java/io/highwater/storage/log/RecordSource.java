package io.highwater.storage.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/** Opens the records of a batch, inflated if need be; a thread has one open at a time, because it keeps one set of buffers. */
final class RecordSource {
    private static final int READ_AHEAD_BYTES = 4096;

    private final ThreadLocal<Buffers> buffers = ThreadLocal.withInitial(Buffers::new);

    /** What one thread needs for one batch at a time. */
    private static final class Buffers {
        final BufferSupplier decompression = BufferSupplier.create();
        final byte[] readAhead = new byte[READ_AHEAD_BYTES];
    }

    /**
     * The records from their first byte.
     *
     * @throws IOException or {@link org.apache.kafka.common.KafkaException} if they are no stream of that codec
     */
    RecordBytes open(ByteBuffer batch, CompressionType codec) throws IOException {
        ByteBuffer records = batch.duplicate();
        records.position(DefaultRecordBatch.RECORD_BATCH_OVERHEAD);
        if (codec == CompressionType.NONE) {
            return RecordBytes.of(records);
        }
        if (codec == CompressionType.SNAPPY) {
            SnappyFraming.check(records.duplicate());
        }
        Buffers own = buffers.get();
        return RecordBytes.of(
                Compression.of(codec).build().wrapForInput(records, RecordBatch.MAGIC_VALUE_V2, own.decompression),
                own.readAhead);
    }
}
