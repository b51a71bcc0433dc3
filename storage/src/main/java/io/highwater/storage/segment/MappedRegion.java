package io.highwater.storage.segment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/**
 * The first bytes of a file as memory; the only class that maps, forces and unmaps.
 *
 * <p>A region may be longer than its file: pages behind the end of the file become readable when the file grows. Touching
 * one before that kills the process (SIGBUS), and so does touching a region after {@link #close()}. Who holds a region must
 * know the end of the data and keep readers below it; a {@link Segment}'s leases see to both.
 */
final class MappedRegion implements AutoCloseable {
    private final FileMapper.Mapping mapping;
    private final MappedByteBuffer bytes;

    private MappedRegion(FileMapper.Mapping mapping) {
        this.mapping = mapping;
        this.bytes = mapping.bytes();
    }

    /**
     * Maps the first {@code sizeBytes} bytes. A file that is shorter is extended by this, sparsely, as {@link
     * FileChannel#map} does; the caller cuts it back if that is not wanted.
     */
    static MappedRegion map(FileChannel channel, MapMode mode, int sizeBytes) throws IOException {
        return new MappedRegion(FileMapper.INSTANCE.map(channel, mode, sizeBytes));
    }

    int sizeBytes() {
        return bytes.capacity();
    }

    /** The whole region, big endian. Use absolute positions only: it is shared by all threads. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** A view of some bytes with a position of its own. Invalid once the region is closed. */
    ByteBuffer view(int position, int sizeBytes) {
        return bytes.slice(position, sizeBytes);
    }

    /** Whether these bytes are (probably) in memory; costs a system call. */
    boolean isLoaded(int position, int sizeBytes) {
        return bytes.slice(position, sizeBytes).isLoaded();
    }

    /** Reads these bytes into memory; may wait for the disk. */
    void load(int position, int sizeBytes) {
        bytes.slice(position, sizeBytes).load();
    }

    /** Writes changed pages of the first {@code sizeBytes} bytes to the disk and waits for it. */
    void force(int sizeBytes) throws IOException {
        if (sizeBytes > 0) {
            try {
                bytes.force(0, sizeBytes);
            } catch (UncheckedIOException e) {
                throw new IOException("cannot write a mapped file: " + e.getMessage(), e);
            }
        }
    }

    /** Unmaps. No view may be touched from here on; calling it twice is a bug of ours that the JVM might not survive. */
    @Override
    public void close() {
        FileMapper.INSTANCE.unmap(mapping);
    }
}
