package io.highwater.storage.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.jspecify.annotations.Nullable;

/**
 * Where the batches of a segment lie: its published {@link Tail}, and lookups below it. Hot. One writer, the segment's owner;
 * readers hold a lease.
 */
final class SegmentPositions {
    /** What {@link #find} returns if there is no such batch. */
    static final long NOWHERE = -1;

    private final LogFile logFile;
    private final OffsetIndex index;
    private volatile Tail tail;

    /** Rises with each truncation; a reader that finds it changed cannot trust what it looked up. */
    private volatile int truncations;

    /** A boundary that readers asked for lately: mostly the high watermark, and where they will go on next. */
    private volatile @Nullable Boundary recent;

    private record Boundary(long offset, int position, int truncations) {}

    SegmentPositions(LogFile logFile, OffsetIndex index, Tail tail) {
        this.logFile = logFile;
        this.index = index;
        this.tail = tail;
    }

    Tail tail() {
        return tail;
    }

    /** Differs from what it was before if the segment has been truncated meanwhile. */
    int truncations() {
        return truncations;
    }

    void publish(Tail newTail) {
        tail = newTail;
    }

    /** Publishes a tail that lies before the current one. */
    void truncate(Tail newTail) {
        tail = newTail;
        int version = truncations + 1; // one writer
        truncations = version;
    }

    /**
     * Finds what to read; see {@link Segment#read}.
     *
     * @return position and size, for {@link #position} and {@link #size}; or {@link #NOWHERE}
     * @throws CorruptRecordException if there are no batches where there should be
     */
    long find(long fetchOffset, int maxBytes, long upperBound, boolean minOneBatch) throws IOException {
        while (true) {
            int version = truncations;
            Tail t = tail;
            int end = boundary(upperBound, t, version);
            int start = positionOf(fetchOffset, t);
            int size = sizeToRead(start, end, t, maxBytes, minOneBatch);
            if (truncations != version) {
                continue; // rare, and each time the owner has moved on
            }
            if (size == BatchWalk.DAMAGED) {
                throw new CorruptRecordException(damage(fetchOffset));
            }
            return start == BatchWalk.NONE ? NOWHERE : (long) start << Integer.SIZE | size;
        }
    }

    static int position(long found) {
        return (int) (found >>> Integer.SIZE);
    }

    static int size(long found) {
        return (int) found;
    }

    /** For the owner: position of the first batch that ends at or behind {@code offset}; the end if there is none. */
    int cutFor(long offset) throws IOException {
        Tail t = tail;
        int position = positionOf(offset, t);
        if (position == BatchWalk.DAMAGED) {
            throw new IOException(damage(offset));
        }
        return position == BatchWalk.NONE ? t.endPosition() : position;
    }

    /** For the owner: the offset behind the last batch, found by walking from the last index entry; or {@code baseOffset}. */
    long findEndOffset(long baseOffset) throws IOException {
        Tail t = tail;
        if (t.endPosition() == 0) {
            return baseOffset;
        }
        return BatchHeader.lastOffset(bytes(t), lastBatch(t)) + 1;
    }

    /** For the owner: the leader epoch of the last batch, found in the same way; -1 if there is none. */
    int newestLeaderEpoch() throws IOException {
        Tail t = tail;
        return t.endPosition() == 0 ? -1 : BatchHeader.leaderEpoch(bytes(t), lastBatch(t));
    }

    private int lastBatch(Tail t) throws IOException {
        int last = BatchWalk.last(bytes(t), index.floorPosition(Long.MAX_VALUE), t.endPosition());
        if (last < 0) {
            throw new CorruptRecordException(damage(index.lastOffset()));
        }
        return last;
    }

    /** All bytes that have been published; absolute positions below {@code t.endPosition()} may be touched. */
    ByteBuffer bytes(Tail t) throws IOException {
        return logFile.mapped(t.endPosition()).bytes();
    }

    private int sizeToRead(int start, int end, Tail t, int maxBytes, boolean minOneBatch) throws IOException {
        if (start == BatchWalk.DAMAGED || end == BatchWalk.DAMAGED) {
            return BatchWalk.DAMAGED;
        }
        if (start == BatchWalk.NONE || start >= end) {
            return 0;
        }
        int first = BatchWalk.sizeAt(bytes(t), start, t.endPosition());
        if (first < 0) {
            return BatchWalk.DAMAGED;
        }
        if (first > maxBytes) {
            return minOneBatch ? first : 0;
        }
        return Math.min(maxBytes, end - start);
    }

    /** @param version of the segment before {@code t} was read: what was found in an older tail must not be kept under a newer version */
    private int boundary(long upperBound, Tail t, int version) throws IOException {
        if (upperBound >= t.endOffset()) {
            return t.endPosition();
        }
        int position = positionOf(upperBound, t);
        if (position == BatchWalk.NONE) {
            return t.endPosition();
        }
        if (position >= 0) {
            recent = new Boundary(upperBound, position, version);
        }
        return position;
    }

    /** Position of the first batch whose last offset is at least {@code offset}. */
    private int positionOf(long offset, Tail t) throws IOException {
        if (offset == t.lastBaseOffset()) {
            return t.lastPosition();
        }
        Boundary known = recent;
        if (known != null && known.offset == offset && known.truncations == truncations) {
            return known.position;
        }
        int from = index.floorPosition(offset);
        return from >= t.endPosition()
                ? BatchWalk.NONE
                : BatchWalk.firstEndingFrom(bytes(t), from, t.endPosition(), offset);
    }

    private String damage(long offset) {
        return "no batches where offset " + offset + " should be in " + logFile.path();
    }
}
