package io.highwater.storage.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The aborted transactions whose markers lie in a segment, ascending by marker. The file appears with the first of them. Read
 * and written through a channel: it is rare and small.
 *
 * <p>One writer; readers see what was complete when they looked.
 */
final class AbortedTxnIndex implements Closeable {
    static final int ENTRY_SIZE = 34;
    private static final short VERSION = 0;

    private final long baseOffset;
    private volatile Path path;
    private volatile int entries;

    /** Rises with each truncation: a reader that finds it changed may have looked behind the end. */
    private volatile int truncations;

    private volatile @Nullable FileChannel channel;

    /** {@code exists} tells whether the file is there, as the caller has listed the directory anyway. */
    AbortedTxnIndex(Path path, long baseOffset, boolean exists) throws IOException {
        this.path = path;
        this.baseOffset = baseOffset;
        if (exists) {
            entries = (int) (channel().size() / ENTRY_SIZE);
        }
    }

    Path path() {
        return path;
    }

    /** Whether there is a file; without one there is nothing to rename or delete. */
    boolean exists() {
        return channel != null;
    }

    void movedTo(Path newPath) {
        path = newPath;
    }

    int entries() {
        return entries;
    }

    /** Adds a transaction; markers must rise. */
    void append(AbortedTxn txn) throws IOException {
        int at = entries;
        if (at > 0 && entry(at - 1).lastOffset() >= txn.lastOffset()) {
            throw new IllegalStateException(txn + " is not above the last one of " + path + ", " + entry(at - 1));
        }
        ByteBuffer buffer = ByteBuffer.allocate(ENTRY_SIZE);
        buffer.putShort(VERSION)
                .putLong(txn.producerId())
                .putLong(txn.firstOffset())
                .putLong(txn.lastOffset())
                .putLong(txn.lastStableOffset())
                .flip();
        long position = (long) at * ENTRY_SIZE;
        while (buffer.hasRemaining()) {
            channel().write(buffer, position + buffer.position());
        }
        entries = at + 1;
    }

    /**
     * Adds those that overlap [fetchOffset, upperBoundOffset) to {@code found}.
     *
     * @return whether no later segment can hold more of them
     */
    boolean collect(long fetchOffset, long upperBoundOffset, List<AbortedTxn> found) throws IOException {
        int version = truncations;
        try {
            return collect(fetchOffset, upperBoundOffset, entries, found);
        } catch (IOException e) {
            if (truncations != version) {
                return false; // what was to be read with them has gone as well
            }
            throw e;
        }
    }

    private boolean collect(long fetchOffset, long upperBoundOffset, int count, List<AbortedTxn> found)
            throws IOException {
        for (int i = firstEndingFrom(fetchOffset, count); i < count; i++) {
            AbortedTxn txn = entry(i);
            if (txn.firstOffset() < upperBoundOffset) {
                found.add(txn);
            }
            if (txn.lastStableOffset() >= upperBoundOffset) {
                return true;
            }
        }
        return false;
    }

    /** Drops transactions whose marker is at {@code offset} or later. */
    void truncateTo(long offset) throws IOException {
        int kept = firstEndingFrom(offset, entries);
        if (kept < entries) {
            truncated(kept);
            channel().truncate((long) kept * ENTRY_SIZE);
        }
    }

    void reset() throws IOException {
        truncated(0);
        if (exists()) {
            channel().truncate(0);
        }
    }

    /**
     * Whether the entries can be true: known version, in this segment, ascending. A half entry at the end counts as damage.
     *
     * @param endOffset of the segment (exclusive), as far as it is known
     */
    boolean isSane(long endOffset) throws IOException {
        long previous = baseOffset - 1;
        for (int i = 0; i < entries; i++) {
            AbortedTxn txn = entry(i);
            if (read(i).getShort(0) != VERSION
                    || txn.lastOffset() <= previous
                    || txn.lastOffset() >= endOffset
                    || !isWithin(txn.firstOffset(), txn.lastOffset())
                    || !isWithin(txn.lastStableOffset(), txn.lastOffset() + 1)) {
                return false;
            }
            previous = txn.lastOffset();
        }
        return !exists() || channel().size() == (long) entries * ENTRY_SIZE;
    }

    private static boolean isWithin(long offset, long largest) {
        return offset >= 0 && offset <= largest;
    }

    void force() throws IOException {
        FileChannel current = channel;
        if (current != null) {
            current.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        FileChannel current = channel;
        if (current != null) {
            current.close();
        }
    }

    private void truncated(int kept) {
        int version = truncations + 1; // one writer
        truncations = version;
        entries = kept;
    }

    private int firstEndingFrom(long offset, int count) throws IOException {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (entry(middle).lastOffset() < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private AbortedTxn entry(int slot) throws IOException {
        ByteBuffer buffer = read(slot);
        return new AbortedTxn(buffer.getLong(2), buffer.getLong(10), buffer.getLong(18), buffer.getLong(26));
    }

    private ByteBuffer read(int slot) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(ENTRY_SIZE);
        long position = (long) slot * ENTRY_SIZE;
        while (buffer.hasRemaining()) {
            if (channel().read(buffer, position + buffer.position()) < 0) {
                throw new IOException("entry " + slot + " is behind the end of " + path);
            }
        }
        return buffer.flip();
    }

    private synchronized FileChannel channel() throws IOException {
        FileChannel current = channel;
        if (current == null) {
            current = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            channel = current;
        }
        return current;
    }
}
