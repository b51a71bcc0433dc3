package io.highwater.storage.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

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

    /** What is wrong with the last entry, which is in slot 1, beside the first one in slot 0; null if nothing. */
    abstract @Nullable String flawOfEnds(ByteBuffer firstAndLast, int logSizeBytes);

    /**
     * What is wrong with a file that was closed in order, as far as its length, its first and its last entry tell; null if nothing. A
     * broker opens tens of thousands of them: no more is read, and nothing mapped.
     *
     * @param logSizeBytes of the batches that it is about
     * @param endOffset which none of them reaches (exclusive)
     */
    final @Nullable String flaw(int logSizeBytes, long endOffset) throws IOException {
        try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.READ)) {
            long size = channel.size();
            if (size % entrySize != 0) {
                return size + " bytes are no whole number of entries";
            }
            if (size == 0) {
                return null;
            }
            ByteBuffer ends = ByteBuffer.allocate(2 * entrySize);
            channel.read(ends.limit(entrySize), 0);
            channel.read(ends.limit(2 * entrySize), size - entrySize);
            if (ends.hasRemaining() || EntryFile.isZero(ends, 1, entrySize)) {
                return null; // never trimmed, as what a crash leaves: the last entry is somewhere before
            }
            long first = offset(ends, 0);
            long last = offset(ends, 1);
            return first < baseOffset || last < first || last >= endOffset
                    ? "entries for the offsets " + first + " and " + last + " cannot be its first and last"
                    : flawOfEnds(ends, logSizeBytes);
        } catch (NoSuchFileException e) {
            return null; // an empty one is made when it is needed
        }
    }

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
