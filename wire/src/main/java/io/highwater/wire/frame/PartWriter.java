package io.highwater.wire.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.ReferenceCounted;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.protocol.Writable;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.TransferableRecords;
import org.apache.kafka.common.record.internal.UnalignedMemoryRecords;
import org.jspecify.annotations.Nullable;

/** Collects the parts of one response: fields go into one buffer, records are put in between. Used once, by one thread. */
final class PartWriter implements Writable {
    private final ByteBuf fields;
    /** Null until the first records: most responses are one part. */
    private @Nullable List<ReferenceCounted> parts;

    private int writtenBytes;

    /** @param fields with room for all fields; ownership passes to this writer */
    PartWriter(ByteBuf fields) {
        this.fields = fields;
    }

    /**
     * The parts. Ends the use of this writer.
     *
     * @throws IllegalStateException if their size is not the one that was announced in front
     */
    EncodedResponse finish(long expectedBytes) {
        long actualBytes = writtenBytes + (long) fields.readableBytes();
        if (actualBytes != expectedBytes) {
            throw new IllegalStateException(
                    "a response of " + actualBytes + " bytes was announced as " + expectedBytes);
        }
        if (parts == null) {
            return new EncodedResponse(List.of(fields), actualBytes);
        }
        cut(parts);
        fields.release();
        return new EncodedResponse(parts, actualBytes);
    }

    /** Releases everything collected so far. */
    void abandon() {
        fields.release();
        if (parts != null) {
            parts.forEach(ReferenceCounted::release);
        }
    }

    @Override
    public void writeRecords(BaseRecords records) {
        if (records.sizeInBytes() == 0) {
            releaseEmpty(records);
        } else if (records instanceof LeasedRecords leased) {
            insert(leased.toPart(), leased.sizeInBytes());
        } else if (records instanceof MemoryRecords memory) {
            writeByteBuffer(memory.buffer());
        } else if (records instanceof UnalignedMemoryRecords memory) {
            writeByteBuffer(memory.buffer());
        } else if (records instanceof TransferableRecords transferable) {
            // Only the quorum's own log and snapshots come as Kafka's file records: few and small.
            insert(CopyingChannel.copy(transferable, fields.alloc()), transferable.sizeInBytes());
        } else {
            throw new IllegalStateException("no way to write records of " + records.getClass());
        }
    }

    @Override
    public void writeByteBuffer(ByteBuffer bytes) {
        insert(Unpooled.wrappedBuffer(bytes), bytes.remaining());
    }

    private static void releaseEmpty(BaseRecords records) {
        if (records instanceof LeasedRecords leased) {
            leased.release();
        }
    }

    private void insert(ReferenceCounted part, int sizeBytes) {
        List<ReferenceCounted> list = parts;
        if (list == null) {
            list = new ArrayList<>();
            parts = list;
        }
        cut(list);
        list.add(part);
        writtenBytes += sizeBytes;
    }

    /** Ends the current piece of fields, if any was written since the last cut. */
    private void cut(List<ReferenceCounted> list) {
        int pieceBytes = fields.readableBytes();
        if (pieceBytes > 0) {
            list.add(fields.readRetainedSlice(pieceBytes));
            writtenBytes += pieceBytes;
        }
    }

    @Override
    public void writeByte(byte value) {
        fields.writeByte(value);
    }

    @Override
    public void writeShort(short value) {
        fields.writeShort(value);
    }

    @Override
    public void writeInt(int value) {
        fields.writeInt(value);
    }

    @Override
    public void writeLong(long value) {
        fields.writeLong(value);
    }

    @Override
    public void writeDouble(double value) {
        fields.writeDouble(value);
    }

    @Override
    public void writeByteArray(byte[] bytes) {
        fields.writeBytes(bytes);
    }

    @Override
    public void writeUnsignedVarint(int value) {
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            fields.writeByte((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        fields.writeByte(rest);
    }

    @Override
    public void writeVarint(int value) {
        writeUnsignedVarint((value << 1) ^ (value >> 31));
    }

    @Override
    public void writeVarlong(long value) {
        long rest = (value << 1) ^ (value >> 63);
        while ((rest & ~0x7FL) != 0) {
            fields.writeByte((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        fields.writeByte((int) rest);
    }
}
