package io.highwater.storage.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * What the two sparse indexes of a segment share: a mapped file of entries in rising order, each with an offset that is written relative to
 * the segment's base offset. Hot: {@link #firstAbove}.
 */
abstract class EntryIndex {
    private final EntryFile file;
    private final long baseOffset;
    private final int entrySize;
    private final int offsetAt;

    /** @param offsetAt where in an entry the relative offset is */
    EntryIndex(Path path, long baseOffset, int entrySize, int offsetAt) {
        this.file = new EntryFile(path, entrySize);
        this.baseOffset = baseOffset;
        this.entrySize = entrySize;
        this.offsetAt = offsetAt;
    }

    /** What the entries are sorted by. */
    abstract long key(ByteBuffer bytes, int slot);

    /** Whether it takes no further entry. */
    abstract boolean isFull() throws IOException;

    final EntryFile file() {
        return file;
    }

    final int entries() throws IOException {
        return file.entries();
    }

    /** Offset of the last entry, or the base offset if there is none. */
    final long lastOffset() throws IOException {
        int entries = file.entries();
        return entries == 0 ? baseOffset : offset(file.bytes(), entries - 1);
    }

    final long baseOffset() {
        return baseOffset;
    }

    final long offset(ByteBuffer bytes, int slot) {
        return baseOffset + bytes.getInt(slot * entrySize + offsetAt);
    }

    final void putOffset(ByteBuffer bytes, int slot, long offset) {
        bytes.putInt(slot * entrySize + offsetAt, (int) (offset - baseOffset));
    }

    /** The first slot from {@code low} on whose key is above {@code key}; {@code high} if there is none before that. */
    final int firstAbove(ByteBuffer bytes, int low, int high, long key) {
        int from = low;
        int to = high;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (key(bytes, middle) <= key) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }
}
