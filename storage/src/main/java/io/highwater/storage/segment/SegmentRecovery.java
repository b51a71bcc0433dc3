package io.highwater.storage.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a segment that may have been cut or damaged by a crash: batch after batch as long as they are whole, cuts the file
 * behind the last good one, and builds the indexes anew. Reads through the channel, not the mapping: bytes are believed only
 * after their checksum.
 */
public final class SegmentRecovery {
    private static final Logger log = LoggerFactory.getLogger(SegmentRecovery.class);
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int CRC_AT = 17;
    private static final int CRC_COVERS_FROM = 21;

    private final Segment segment;
    private final FileChannel channel;
    private final int length;

    /** Bytes of the file from {@link #chunkStart} on. */
    private ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES).limit(0);

    private int chunkStart;

    /** What the next batch may not end before. */
    private long nextOffset;

    private SegmentRecovery(Segment segment) {
        this.segment = segment;
        this.channel = segment.channel();
        this.length = segment.logFile().end();
        this.nextOffset = segment.baseOffset();
    }

    /**
     * What was found behind the last good batch, and cut off.
     *
     * @param cutBytes how much
     * @param truncatedBefore whether this is what a truncation under a reader has left, and so no records were lost
     */
    public record Cut(int cutBytes, boolean truncatedBefore) {}

    /** Is shown every good batch, in order. */
    public interface BatchVisitor {
        /** A batch that stays in the log. */
        void onBatch(RecordBatch batch) throws IOException;
    }

    /**
     * Recovers a segment that was opened and that nobody reads yet. Afterwards it is sealed, its end known.
     *
     * @throws OverflowedSegmentException if the file holds offsets too far from its base for an index
     * @throws IOException if the file cannot be read
     */
    public static Cut recover(Segment segment, BatchVisitor visitor) throws IOException {
        return new SegmentRecovery(segment).run(visitor);
    }

    /** Whether every byte of a segment belongs to a good batch, so that {@link #recover} would cut nothing. Changes nothing. */
    public static boolean isWhole(Segment segment) throws IOException {
        SegmentRecovery reading = new SegmentRecovery(segment);
        int position = 0;
        while (position < reading.length) {
            RecordBatch batch = reading.batchAt(position);
            if (batch == null) {
                return false;
            }
            position += batch.sizeInBytes();
        }
        return true;
    }

    private Cut run(BatchVisitor visitor) throws IOException {
        segment.startOver();
        int position = 0;
        while (position < length) {
            RecordBatch batch = batchAt(position);
            if (batch == null) {
                break;
            }
            if (!segment.fits(batch.lastOffset())) {
                throw new OverflowedSegmentException(segment, batch.lastOffset());
            }
            segment.recovered(bytesOf(batch, position));
            visitor.onBatch(batch);
            position += batch.sizeInBytes();
        }
        Cut cut = new Cut(length - position, isMarked(position));
        if (position < length) {
            segment.logFile().truncate(position, false);
        }
        segment.seal();
        return cut;
    }

    private @Nullable RecordBatch batchAt(int position) throws IOException {
        fill(position, BatchHeader.LEGACY_SIZE);
        int size = BatchWalk.sizeAt(chunk, position - chunkStart, length - chunkStart);
        if (size < 0 || !magicFits(position, size)) {
            return refuse(position, "no batch starts here");
        }
        if (size > CHUNK_BYTES && !checksumFits(position, size)) {
            return refuse(position, "the checksum of a large batch is wrong"); // before memory is spent on it
        }
        fill(position, size);
        RecordBatch batch = MemoryRecords.readableRecords(chunk.slice(position - chunkStart, size))
                .batches()
                .iterator()
                .next();
        try {
            batch.ensureValid();
        } catch (CorruptRecordException | InvalidRecordException e) {
            return refuse(position, e.getMessage());
        }
        if (batch.lastOffset() < nextOffset) {
            return refuse(position, "offset " + batch.lastOffset() + " is not behind " + nextOffset);
        }
        nextOffset = batch.lastOffset() + 1;
        return batch;
    }

    private @Nullable RecordBatch refuse(int position, @Nullable String reason) {
        log.warn("{}: the log ends at byte {} of {}: {}", segment.path(), position, length, reason);
        return null;
    }

    private boolean magicFits(int position, int size) {
        byte magic = BatchHeader.magic(chunk, position - chunkStart);
        return magic >= RecordBatch.MAGIC_VALUE_V0
                && magic <= RecordBatch.CURRENT_MAGIC_VALUE
                && (magic < RecordBatch.MAGIC_VALUE_V2 || size >= BatchHeader.SIZE);
    }

    private boolean checksumFits(int position, int size) throws IOException {
        if (BatchHeader.magic(chunk, position - chunkStart) < RecordBatch.MAGIC_VALUE_V2) {
            return true; // old and rare; checked once it is read
        }
        int expected = chunk.getInt(position - chunkStart + CRC_AT);
        CRC32C crc = new CRC32C();
        ByteBuffer piece = ByteBuffer.allocate(CHUNK_BYTES);
        for (int at = position + CRC_COVERS_FROM; at < position + size; ) {
            piece.clear().limit(Math.min(CHUNK_BYTES, position + size - at));
            readFully(piece, at);
            at += piece.position();
            crc.update(piece.flip());
        }
        return (int) crc.getValue() == expected;
    }

    private boolean isMarked(int position) throws IOException {
        ByteBuffer mark = ByteBuffer.allocate(Long.BYTES).putLong(0, LogFile.TRUNCATION_MARK);
        mark.limit(Math.min(Long.BYTES, length - position));
        ByteBuffer found = ByteBuffer.allocate(mark.limit());
        readFully(found, position);
        return mark.equals(found.flip());
    }

    private ByteBuffer bytesOf(RecordBatch batch, int position) {
        return chunk.slice(position - chunkStart, batch.sizeInBytes());
    }

    /** Makes sure that {@code needed} bytes from {@code position} on are in the chunk, as far as the file has them. */
    private void fill(int position, int needed) throws IOException {
        int available = chunkStart + chunk.limit() - position;
        if (available >= Math.min(needed, length - position)) {
            return;
        }
        // A new buffer: visitors may have kept batches that are views of the old one.
        chunk = ByteBuffer.allocate(Math.max(CHUNK_BYTES, needed));
        chunk.limit(Math.min(chunk.capacity(), length - position));
        chunkStart = position;
        readFully(chunk, position);
        chunk.flip();
    }

    private void readFully(ByteBuffer target, int position) throws IOException {
        int start = target.position();
        while (target.hasRemaining()) {
            if (channel.read(target, (long) position + target.position() - start) < 0) {
                throw new IOException(segment.path() + " became shorter while it was read");
            }
        }
    }
}
