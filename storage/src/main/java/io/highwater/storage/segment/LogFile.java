package io.highwater.storage.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A segment's file of batches: written through the channel, read through a mapping that is laid ahead of the data. Hot.
 *
 * <p><b>The file is never longer than its data.</b> Laying a mapping ahead needs a file that long for an instant, so {@link
 * #mapped} extends it, maps, and cuts it back before anything else may write; the pages behind the end become readable as
 * the file grows over them. Leaving the file extended (as {@code preallocate} does) was tried: Kafka recovers such a
 * directory after a kill, but its dump tool ends with "Found record size 0 smaller than minimum record overhead". Zeros can
 * only be left behind by a crash within that instant, or by {@link #truncate} under a reader; recovery ends at them.
 *
 * <p>Owner: the partition's lock, except for {@link #mapped} and reads, which any thread may call on a leased segment.
 */
final class LogFile implements Closeable {
    /** First mapping of a growing file; each next is four times what is needed. */
    private static final int SMALLEST_MAPPING = 16 << 20;

    /**
     * Stands in front of the zeros of a truncation under a reader. As a batch it is none (its length is 0), so every recovery
     * ends at it; ours knows by it that no records were lost here, and goes on with the next segment.
     */
    static final long TRUNCATION_MARK = 0xFFC0_70FF_7A11_0000L;

    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(64 << 10).asReadOnlyBuffer();

    private final FileChannel channel;
    private volatile Path path;
    private volatile @Nullable MappedRegion region;

    /** Outgrown mappings that readers may still hold views of; unmapped with the segment. At most a handful. */
    private final List<MappedRegion> retired = new ArrayList<>();

    /** End of the data in bytes, published to readers or about to be. Guarded by this. */
    private int end;

    /** Length of the file in bytes, at or above {@link #end}. Guarded by this. */
    private int length;

    /** Whether the file is longer than its data, because of a truncation under a reader; see {@link #trim}. */
    private volatile boolean hasZeros;

    /** No mapping is laid ahead further than this. Guarded by this. */
    private int largestSize;

    private LogFile(Path path, FileChannel channel, int length, int largestSize) {
        this.path = path;
        this.channel = channel;
        this.end = length;
        this.length = length;
        this.largestSize = largestSize;
    }

    /** Opens the file, or creates it empty. {@code largestSize} is how long it is expected to grow. */
    static LogFile open(Path path, int largestSize, boolean create) throws IOException {
        OpenOption[] options = create
                ? new OpenOption[] {
                    StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE,
                }
                : new OpenOption[] {StandardOpenOption.READ, StandardOpenOption.WRITE};
        return over(path, FileChannel.open(path, options), largestSize);
    }

    /** Takes over a channel to the file. */
    static LogFile over(Path path, FileChannel channel, int largestSize) throws IOException {
        long length = channel.size();
        if (length > Integer.MAX_VALUE) {
            channel.close();
            throw new IOException(path + " is " + length + " bytes long; a segment has at most " + Integer.MAX_VALUE);
        }
        return new LogFile(path, channel, (int) length, largestSize);
    }

    Path path() {
        return path;
    }

    void movedTo(Path newPath) {
        path = newPath;
    }

    FileChannel channel() {
        return channel;
    }

    synchronized int end() {
        return end;
    }

    /** Whether {@link #trim} has something to do. */
    boolean hasZeros() {
        return hasZeros;
    }

    synchronized void expectAtMost(int newLargestSize) {
        largestSize = newLargestSize;
    }

    /**
     * Writes {@code data} at the end. All of it or, as far as any reader can tell, nothing.
     *
     * @throws IOException if the disk is full or failing; what was half written has been cut off again
     */
    synchronized void append(ByteBuffer data) throws IOException {
        int size = data.remaining();
        int start = data.position();
        try {
            while (data.hasRemaining()) {
                channel.write(data, (long) end + data.position() - start);
            }
        } catch (IOException | RuntimeException e) {
            undo(size, e);
            throw e;
        }
        appended(size);
    }

    /** Memory that covers at least the first {@code end} bytes; those must have been written. */
    MappedRegion mapped(int end) throws IOException {
        MappedRegion current = region;
        return current != null && current.sizeBytes() >= end ? current : map(end);
    }

    /**
     * Drops everything from {@code newEnd} on; the caller has published the new end already.
     *
     * @param leased whether somebody may be looking at what is dropped. The bytes then are overwritten with {@link
     *     #TRUNCATION_MARK} and zeros, and {@link #trim} cuts them off later: a page that is cut away under a reader kills
     *     the process
     */
    synchronized void truncate(int newEnd, boolean leased) throws IOException {
        end = newEnd;
        if (leased) {
            zero(newEnd, length);
            mark();
            hasZeros = length > newEnd;
        } else {
            cut();
        }
    }

    /** Cuts off what lies behind the data; nobody may hold a lease from before the truncation that left it. */
    synchronized void trim() throws IOException {
        if (length > end) {
            cut();
        }
    }

    /** Writes the data to the disk and waits for it. */
    void force() throws IOException {
        channel.force(true);
    }

    /** Unmaps and closes; nobody may hold a lease. */
    @Override
    public synchronized void close() throws IOException {
        MappedRegion current = region;
        if (current != null) {
            region = null;
            current.close();
        }
        retired.forEach(MappedRegion::close);
        retired.clear();
        channel.close();
    }

    private synchronized MappedRegion map(int needed) throws IOException {
        MappedRegion current = region;
        if (current != null && current.sizeBytes() >= needed) {
            return current;
        }
        long ahead = Math.max(4L * needed, SMALLEST_MAPPING);
        int size = (int) Math.max(length, Math.min(ahead, largestSize));
        MappedRegion longer;
        try {
            longer = MappedRegion.map(channel, MapMode.READ_ONLY, size);
        } finally {
            if (size > length) {
                channel.truncate(length);
            }
        }
        if (current != null) {
            retired.add(current);
        }
        region = longer;
        return longer;
    }

    private void appended(int size) throws IOException {
        end += size;
        if (end >= length) {
            length = end;
            hasZeros = false;
        } else {
            mark();
        }
    }

    private void mark() throws IOException {
        ByteBuffer mark = ByteBuffer.allocate(Long.BYTES).putLong(0, TRUNCATION_MARK);
        mark.limit(Math.min(Long.BYTES, length - end));
        channel.write(mark, end);
    }

    private void undo(int size, Exception cause) {
        try {
            if (length > end) {
                zero(end, Math.min(length, end + size));
            }
            channel.truncate(length);
        } catch (IOException e) {
            cause.addSuppressed(e); // unreadable all the same: it is behind the published end; recovery ends at it
        }
    }

    private void cut() throws IOException {
        channel.truncate(end);
        length = end;
        hasZeros = false;
    }

    private void zero(int from, int to) throws IOException {
        for (int position = from; position < to; ) {
            ByteBuffer zeros = ZEROS.duplicate();
            zeros.limit(Math.min(zeros.capacity(), to - position));
            position += channel.write(zeros, position);
        }
    }
}
