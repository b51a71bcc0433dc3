package io.highwater.storage.segment;

import java.nio.ByteBuffer;

/** Steps from batch header to batch header of a mapped file. Hot; touches nothing from {@code end} on. */
final class BatchWalk {
    /** There is no such batch. */
    static final int NONE = -1;

    /** The bytes are no batches. Under a concurrent truncation that may happen to anybody: check before complaining. */
    static final int DAMAGED = -2;

    private BatchWalk() {}

    /** Position of the first batch at or behind {@code from} whose last offset is at least {@code offset}. */
    static int firstEndingFrom(ByteBuffer bytes, int from, int end, long offset) {
        int position = from;
        while (position < end) {
            int size = sizeAt(bytes, position, end);
            if (size < 0) {
                return DAMAGED;
            }
            if (BatchHeader.lastOffset(bytes, position) >= offset) {
                return position;
            }
            position += size;
        }
        return NONE;
    }

    /** Position of the last batch, walking from a batch's start at {@code from}. */
    static int last(ByteBuffer bytes, int from, int end) {
        int last = NONE;
        for (int position = from; position < end; ) {
            int size = sizeAt(bytes, position, end);
            if (size < 0) {
                return DAMAGED;
            }
            last = position;
            position += size;
        }
        return last;
    }

    /** Position of the first batch at or behind {@code from} that has the largest timestamp; NONE if no batch has one. */
    static int withLargestTimestamp(ByteBuffer bytes, int from, int end) {
        int found = NONE;
        long largest = -1;
        for (int position = from; position < end; ) {
            int size = sizeAt(bytes, position, end);
            if (size < 0) {
                return DAMAGED;
            }
            long timestamp = BatchHeader.maxTimestamp(bytes, position);
            if (timestamp > largest) {
                largest = timestamp;
                found = position;
            }
            position += size;
        }
        return found;
    }

    /** Size of the batch that starts here, or {@link #DAMAGED} if none can. */
    static int sizeAt(ByteBuffer bytes, int position, int end) {
        // A damaged index leads anywhere, to the left of the file as well.
        if (position < 0 || end - position < BatchHeader.LEGACY_SIZE) {
            return DAMAGED;
        }
        int size = BatchHeader.sizeInBytes(bytes, position);
        return size < 0 || size > end - position ? DAMAGED : size;
    }
}
