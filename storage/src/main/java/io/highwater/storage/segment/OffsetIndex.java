package io.highwater.storage.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where batches lie in a segment's file: entries of 8 bytes, (last offset of a batch minus the segment's base offset, position
 * of that batch), both ascending. Sparse: one entry for each {@code index.interval.bytes} or so of batches.
 */
final class OffsetIndex extends EntryIndex {
    static final int ENTRY_SIZE = 8;

    OffsetIndex(Path path, long baseOffset) {
        super(path, baseOffset, ENTRY_SIZE, 0);
    }

    @Override
    long key(ByteBuffer bytes, int slot) {
        return offset(bytes, slot);
    }

    @Override
    boolean isFull() throws IOException {
        return entries() >= file().maxEntries();
    }

    @Override
    @Nullable
    String flawOfEnds(ByteBuffer firstAndLast, int logSizeBytes) {
        int first = position(firstAndLast, 0);
        int last = position(firstAndLast, 1);
        return first < 0 || last < first || last >= logSizeBytes
                ? "entries for the positions " + first + " and " + last + " cannot be its first and last"
                : null;
    }

    /** Position of the batch of the greatest entry whose offset is at most {@code offset}; 0 if there is none. */
    int floorPosition(long offset) throws IOException {
        int slot = floorSlot(offset);
        return slot < 0 ? 0 : position(file().bytes(), slot);
    }

    /** Offset of the first entry whose position is at least {@code position}, or -1. */
    long ceilingOffset(long position) throws IOException {
        int entries = entries();
        ByteBuffer bytes = file().bytes();
        int low = 0;
        int high = entries;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (position(bytes, middle) < position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == entries ? -1 : offset(bytes, low);
    }

    /** Adds an entry. Room must have been reserved; offsets and positions must rise. Dropped silently if the index is full. */
    void append(long lastOffset, int position) throws IOException {
        int entries = entries();
        if (entries >= file().maxEntries()) {
            return; // within one large append; the next one rolls
        }
        ByteBuffer bytes = file().bytes();
        if (entries > 0 && lastOffset <= offset(bytes, entries - 1)) {
            throw new IllegalStateException(
                    "offset " + lastOffset + " is not above the last one of " + file().path() + ", " + lastOffset());
        }
        putOffset(bytes, entries, lastOffset);
        bytes.putInt(entries * ENTRY_SIZE + Integer.BYTES, position);
        file().setEntries(entries + 1);
    }

    /** Drops the entries of batches that end at {@code offset} or later. */
    void truncateTo(long offset) throws IOException {
        file().setEntries(floorSlot(offset - 1) + 1);
    }

    private int floorSlot(long offset) throws IOException {
        int entries = entries();
        ByteBuffer bytes = file().bytes();
        int low = 0;
        int high = entries;
        // Most readers are near the end: look in the last page or two first, so that they stay in warm memory.
        int warm = entries - 8192 / ENTRY_SIZE;
        if (warm > 0) {
            if (offset(bytes, warm) <= offset) {
                low = warm;
            } else {
                high = warm;
            }
        }
        return firstAbove(bytes, low, high, offset) - 1;
    }

    private static int position(ByteBuffer bytes, int slot) {
        return bytes.getInt(slot * ENTRY_SIZE + Integer.BYTES);
    }
}
