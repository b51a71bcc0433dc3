package io.highwater.controlplane;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.apache.kafka.common.network.TransferableChannel;

/** Takes what the library would send from a file, into memory. */
final class MemoryChannel implements TransferableChannel {
    private final ByteBuffer buffer;

    MemoryChannel(int sizeBytes) {
        buffer = ByteBuffer.allocate(sizeBytes);
    }

    /** All that was written, ready to be read. */
    ByteBuffer written() {
        ByteBuffer view = buffer.duplicate();
        view.flip();
        return view;
    }

    @Override
    public long transferFrom(FileChannel file, long position, long count) throws IOException {
        ByteBuffer target = buffer.duplicate();
        target.limit(target.position() + (int) Math.min(count, target.remaining()));
        int read = file.read(target, position);
        if (read <= 0) {
            throw new IOException("the file ends at " + position + ", " + count + " bytes too early");
        }
        buffer.position(buffer.position() + read);
        return read;
    }

    @Override
    public int write(ByteBuffer source) {
        int sizeBytes = source.remaining();
        buffer.put(source);
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
    public void close() {}
}
