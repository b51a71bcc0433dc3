package io.highwater.storage.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * When the records of a segment are from: entries of 12 bytes, (timestamp in ms, offset minus base offset), meaning "no record
 * up to this offset has a later timestamp". Timestamps rise strictly, offsets never fall.
 */
final class TimeIndex extends EntryIndex {
    static final int ENTRY_SIZE = 12;

    TimeIndex(Path path, long baseOffset) {
        super(path, baseOffset, ENTRY_SIZE, Long.BYTES);
    }

    @Override
    long key(ByteBuffer bytes, int slot) {
        return timestamp(bytes, slot);
    }

    /** One entry is kept free for the one that is forced when the segment is sealed. */
    @Override
    boolean isFull() throws IOException {
        return entries() >= file().maxEntries() - 1;
    }

    @Override
    @Nullable
    String flawOfEnds(ByteBuffer firstAndLast, int logSizeBytes) {
        long first = timestamp(firstAndLast, 0);
        long last = timestamp(firstAndLast, 1);
        return first < 0 || last < first
                ? "entries for the times " + first + " and " + last + " cannot be its first and last"
                : null;
    }

    /** Offset of the greatest entry whose timestamp is at most {@code timestampMs}; the base offset if there is none. */
    long floorOffset(long timestampMs) throws IOException {
        int entries = entries();
        ByteBuffer bytes = file().bytes();
        int above = firstAbove(bytes, 0, entries, timestampMs);
        return above == 0 ? baseOffset() : offset(bytes, above - 1);
    }

    /** Timestamp of the last entry in ms, or -1. */
    long lastTimestamp() throws IOException {
        int entries = entries();
        return entries == 0 ? RecordBatch.NO_TIMESTAMP : timestamp(file().bytes(), entries - 1);
    }

    /**
     * Adds an entry if its timestamp is above the last one's. Room must have been reserved.
     *
     * @param forced whether the entry kept free for the sealing may be used; without it a full index drops the entry
     */
    void maybeAppend(long timestampMs, long offset, boolean forced) throws IOException {
        int entries = entries();
        ByteBuffer bytes = file().bytes();
        long last = entries == 0 ? RecordBatch.NO_TIMESTAMP : timestamp(bytes, entries - 1);
        if (timestampMs <= last || entries >= file().maxEntries() - (forced ? 0 : 1)) {
            return;
        }
        bytes.putLong(entries * ENTRY_SIZE, timestampMs);
        putOffset(bytes, entries, offset);
        file().setEntries(entries + 1);
    }

    /** Drops the entries for {@code offset} or later ones. */
    void truncateTo(long offset) throws IOException {
        ByteBuffer bytes = file().bytes();
        int entries = entries();
        while (entries > 0 && offset(bytes, entries - 1) >= offset) {
            entries--;
        }
        file().setEntries(entries);
    }

    private static long timestamp(ByteBuffer bytes, int slot) {
        return bytes.getLong(slot * ENTRY_SIZE);
    }
}
