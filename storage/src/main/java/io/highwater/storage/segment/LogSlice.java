package io.highwater.storage.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Some consecutive bytes of a segment on their way to a reader: whole batches, the last of which may be cut where a limit
 * fell. A lease: until {@link #release()} the bytes stay mapped and the file open, whatever happens to the log. Readable
 * from any thread; released once, by any thread.
 *
 * <p>Taken as a mapped {@link #view()} or, when {@link #prefersFileRegion()} and the way out can use one, as a region of the
 * file. Empty slices hold nothing, and releasing them is allowed but not needed.
 */
public final class LogSlice {
    /** From this size on, handing the file region to the socket costs less CPU than writing from the mapping. */
    public static final int FILE_REGION_MIN_BYTES = 256 << 10;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final @Nullable Segment segment;
    private final long fetchOffset;
    private final long segmentBaseOffset;
    private final int position;
    private final int sizeBytes;
    private final AtomicBoolean released = new AtomicBoolean();

    /** Takes over the caller's lease on {@code segment}; null for an empty slice. */
    LogSlice(@Nullable Segment segment, long fetchOffset, long segmentBaseOffset, int position, int sizeBytes) {
        this.segment = segment;
        this.fetchOffset = fetchOffset;
        this.segmentBaseOffset = segmentBaseOffset;
        this.position = position;
        this.sizeBytes = sizeBytes;
    }

    /** No bytes, and where they would be: position -1 if that was not looked up. */
    public static LogSlice empty(long fetchOffset, long segmentBaseOffset, int position) {
        return new LogSlice(null, fetchOffset, segmentBaseOffset, position, 0);
    }

    /** The offset that was asked for; the first batch contains it, or is the first one behind it. */
    public long fetchOffset() {
        return fetchOffset;
    }

    /** Base offset of the segment that holds the bytes. */
    public long segmentBaseOffset() {
        return segmentBaseOffset;
    }

    /** Where the bytes begin in the segment's file. */
    public int position() {
        return position;
    }

    /** How many bytes; 0 if there is nothing to read. */
    public int sizeBytes() {
        return sizeBytes;
    }

    /** Whether there is nothing to read. */
    public boolean isEmpty() {
        return sizeBytes == 0;
    }

    /** Whether the slice is large enough for a file region to be the cheaper way out. */
    public boolean prefersFileRegion() {
        return sizeBytes >= FILE_REGION_MIN_BYTES;
    }

    /**
     * The bytes, read-only and without a copy; a new view each time. Not to be touched after {@link #release()}.
     *
     * @throws IOException if the file cannot be mapped
     */
    public ByteBuffer view() throws IOException {
        return segment == null ? NOTHING.duplicate() : segment.view(position, sizeBytes);
    }

    /**
     * The file to transfer {@link #sizeBytes()} bytes from, beginning at {@link #position()}.
     *
     * @throws IllegalStateException if the slice is empty
     */
    public FileChannel channel() {
        return leased().channel();
    }

    /**
     * Whether the bytes are most likely in memory, so that an event loop may touch them. Free near the end of the log,
     * a system call (2-40 us) elsewhere.
     *
     * @throws IOException if the file cannot be mapped
     */
    public boolean hot() throws IOException {
        return segment == null || segment.isHot(position, sizeBytes);
    }

    /**
     * Brings the bytes into memory; for a disk worker.
     *
     * @throws IOException if the file cannot be mapped
     */
    public void load() throws IOException {
        if (segment != null) {
            segment.load(position, sizeBytes);
        }
    }

    /**
     * Gives the lease back.
     *
     * @throws IllegalStateException if it has been given back before
     */
    public void release() {
        if (segment == null) {
            return;
        }
        if (!released.compareAndSet(false, true)) {
            throw new IllegalStateException("released twice: " + this);
        }
        segment.release();
    }

    private Segment leased() {
        if (segment == null) {
            throw new IllegalStateException("an empty slice has no file: " + this);
        }
        return segment;
    }

    Segment segment() {
        return leased();
    }

    @Override
    public String toString() {
        return "LogSlice(offset " + fetchOffset + ", segment " + segmentBaseOffset + ", " + sizeBytes + " bytes at "
                + position + (released.get() ? ", released)" : ")");
    }
}
