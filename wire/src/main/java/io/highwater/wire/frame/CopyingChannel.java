package io.highwater.wire.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.apache.kafka.common.network.TransferableChannel;
import org.apache.kafka.common.record.internal.TransferableRecords;

/** A channel that collects what records write of themselves, for kinds of records that know no other way out. */
final class CopyingChannel implements TransferableChannel {
    private final ByteBuf target;

    private CopyingChannel(ByteBuf target) {
        this.target = target;
    }

    /**
     * All bytes of these records; the caller owes one release.
     *
     * @throws UncheckedIOException if they cannot be read, or are shorter than they say
     */
    static ByteBuf copy(TransferableRecords records, ByteBufAllocator allocator) {
        int sizeBytes = records.sizeInBytes();
        ByteBuf target = allocator.directBuffer(sizeBytes, sizeBytes);
        try {
            CopyingChannel channel = new CopyingChannel(target);
            while (target.readableBytes() < sizeBytes) {
                int writtenBytes = target.readableBytes();
                if (records.writeTo(channel, writtenBytes, sizeBytes - writtenBytes) <= 0) {
                    throw new IOException("records end after " + writtenBytes + " of " + sizeBytes + " bytes");
                }
            }
            return target;
        } catch (IOException e) {
            target.release();
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            target.release();
            throw e;
        }
    }

    @Override
    public long transferFrom(FileChannel file, long position, long count) throws IOException {
        return target.writeBytes(file, position, (int) count);
    }

    @Override
    public int write(ByteBuffer source) {
        int sizeBytes = source.remaining();
        target.writeBytes(source);
        return sizeBytes;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        long sizeBytes = 0;
        for (int i = offset; i < offset + length; i++) {
            sizeBytes += write(sources[i]);
        }
        return sizeBytes;
    }

    @Override
    public long write(ByteBuffer[] sources) {
        return write(sources, 0, sources.length);
    }

    @Override
    public boolean hasPendingWrites() {
        return false;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {
        // There is nothing behind it.
    }
}
