package io.highwater.storage.segment;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The three indexes of one segment, as one thing to create, seal, rename and close. */
record SegmentIndexes(OffsetIndex offsets, TimeIndex times, AbortedTxnIndex txns) {

    /** Names the files; the two mapped ones are looked at when they are used. */
    static SegmentIndexes at(Path directory, long baseOffset, boolean hasTxnIndex) throws IOException {
        return new SegmentIndexes(
                new OffsetIndex(SegmentFiles.file(directory, baseOffset, SegmentFiles.OFFSET_INDEX), baseOffset),
                new TimeIndex(SegmentFiles.file(directory, baseOffset, SegmentFiles.TIME_INDEX), baseOffset),
                new AbortedTxnIndex(
                        SegmentFiles.file(directory, baseOffset, SegmentFiles.TXN_INDEX), baseOffset, hasTxnIndex));
    }

    /** Makes the mapped indexes empty and as long as they may become. */
    void create(int indexBytes) throws IOException {
        offsets.file().create(indexBytes);
        times.file().create(indexBytes);
    }

    /**
     * What is wrong with one of them, as far as a look at the ends of the mapped two and at all of the third tells; null if nothing.
     *
     * @param logSizeBytes of the batches that they are about
     * @param endOffset which none of them reaches (exclusive)
     */
    @Nullable
    String flaw(int logSizeBytes, long endOffset) throws IOException {
        String flaw = offsets.flaw(logSizeBytes, endOffset);
        if (flaw != null) {
            return offsets.file().path().getFileName() + ": " + flaw;
        }
        flaw = times.flaw(logSizeBytes, endOffset);
        if (flaw != null) {
            return times.file().path().getFileName() + ": " + flaw;
        }
        return txns.isSane(endOffset) ? null : txns.path().getFileName() + ": its entries cannot be true";
    }

    /** Makes room for more entries, after a trim. */
    void extend(int indexBytes) throws IOException {
        offsets.file().extend(indexBytes);
        times.file().extend(indexBytes);
    }

    /** Makes sure that {@code more} entries fit without meeting a full disk. */
    void reserve(int more) throws IOException {
        offsets.file().reserve(more);
        times.file().reserve(more);
    }

    boolean isFull() throws IOException {
        return offsets.isFull() || times.isFull();
    }

    void trim() throws IOException {
        offsets.file().trim();
        times.file().trim();
    }

    void truncateTo(long offset) throws IOException {
        offsets.truncateTo(offset);
        times.truncateTo(offset);
        txns.truncateTo(offset);
    }

    void force() throws IOException {
        offsets.file().force();
        times.file().force();
        txns.force();
    }

    void close() throws IOException {
        offsets.file().close();
        times.file().close();
        txns.close();
    }
}
