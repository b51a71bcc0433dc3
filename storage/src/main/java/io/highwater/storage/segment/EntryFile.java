package io.highwater.storage.segment;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A mapped file of equally long entries, of which the first {@link #entries()} are valid: the body of an offset or a time
 * index. Mapped at first use, so that a log of a thousand segments opens without a thousand mappings.
 *
 * <p>While its segment is active the file has its full size, zeros behind the entries, as Kafka's have. A store into a page
 * that the file system cannot find room for would kill the process, so {@link #reserve} writes zeros over each page the
 * ordinary way before an entry is stored there; a full disk then is an {@link IOException}.
 *
 * <p>One writer; readers may look up at any time below a count of entries they have read before.
 */
final class EntryFile {
    private static final int PAGE = 4096;
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(PAGE).asReadOnlyBuffer();

    private final int entrySize;
    private volatile Path path;
    private volatile @Nullable MappedRegion region;
    private volatile int entries;

    /** Below this the file has pages of its own. Writer only. */
    private int reservedBytes;

    /** Replaced by longer ones, but readers may still be in them; unmapped with the whole segment. */
    private final List<MappedRegion> retired = new ArrayList<>();

    EntryFile(Path path, int entrySize) {
        this.path = path;
        this.entrySize = entrySize;
    }

    Path path() {
        return path;
    }

    void movedTo(Path newPath) {
        path = newPath;
    }

    /** Makes the file empty and {@code maxBytes} long (rounded down to whole entries), whatever it was. */
    synchronized void create(int maxBytes) throws IOException {
        retire();
        entries = 0;
        reservedBytes = 0;
        try (FileChannel channel = open()) {
            channel.truncate(0);
            region = MappedRegion.map(channel, MapMode.READ_WRITE, wholeEntries(maxBytes));
        }
    }

    /** Gives a trimmed file its full length again, so that entries can be added. */
    synchronized void extend(int maxBytes) throws IOException {
        int size = Math.max(wholeEntries(maxBytes), entries() * entrySize);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(size);
            if (bytes().capacity() != size) {
                MappedRegion longer = MappedRegion.map(file.getChannel(), MapMode.READ_WRITE, size);
                retire();
                region = longer;
            }
        }
    }

    /** Cuts the file behind the last entry. Readers never look there, so the mapping may stay. */
    synchronized void trim() throws IOException {
        bytes();
        try (FileChannel channel = open()) {
            channel.truncate((long) entries * entrySize);
        }
        reservedBytes = roundUpToPage(entries * entrySize);
    }

    /** Number of entries; the file is looked at first if it has not been. */
    int entries() throws IOException {
        if (region == null) {
            bytes();
        }
        return entries;
    }

    int maxEntries() throws IOException {
        return bytes().capacity() / entrySize;
    }

    /** The mapped entries; use absolute positions below {@code entries() * entrySize}. */
    ByteBuffer bytes() throws IOException {
        MappedRegion current = region;
        return current == null ? load().bytes() : current.bytes();
    }

    /** Makes sure that {@code more} entries can be stored without meeting a full disk. */
    void reserve(int more) throws IOException {
        int needed = Math.min((entries() + more) * entrySize, bytes().capacity());
        if (needed > reservedBytes) {
            allocate(needed);
        }
    }

    /** Publishes that so many entries are valid: one more after it was stored, or fewer. */
    void setEntries(int newEntries) {
        entries = newEntries;
    }

    /** Writes the entries to the disk and waits for it. */
    void force() throws IOException {
        MappedRegion current = region;
        if (current != null) {
            current.force(entries * entrySize);
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.force(true);
            } catch (NoSuchFileException e) {
                return; // the segment has been deleted meanwhile
            }
        }
    }

    /** Unmaps; nobody may be reading. */
    synchronized void close() {
        retire();
        retired.forEach(MappedRegion::close);
        retired.clear();
    }

    private void retire() {
        MappedRegion current = region;
        if (current != null) {
            retired.add(current);
            region = null;
        }
    }

    private synchronized MappedRegion load() throws IOException {
        MappedRegion current = region;
        if (current != null) {
            return current;
        }
        try (FileChannel channel = open()) {
            int size = wholeEntries((int) Math.min(channel.size(), Integer.MAX_VALUE));
            MappedRegion loaded = MappedRegion.map(channel, MapMode.READ_WRITE, size);
            entries = withoutTrailingZeros(loaded.bytes(), size / entrySize);
            reservedBytes = roundUpToPage(entries * entrySize);
            region = loaded;
            return loaded;
        }
    }

    /**
     * A file that was never trimmed ends in zeros, which are no entries. (Only the sole entry of a time index can be all zero:
     * a segment whose records are as old as 1970.)
     */
    private int withoutTrailingZeros(ByteBuffer bytes, int count) {
        if (count == 1) {
            return 1;
        }
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isZero(bytes, middle, entrySize)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Whether an entry has only zeros. */
    static boolean isZero(ByteBuffer bytes, int entry, int entrySize) {
        for (int i = entry * entrySize; i < (entry + 1) * entrySize; i += Integer.BYTES) {
            if (bytes.getInt(i) != 0) {
                return false;
            }
        }
        return true;
    }

    private void allocate(int needed) throws IOException {
        int from = reservedBytes;
        int to = Math.min(roundUpToPage(needed), bytes().capacity());
        try (FileChannel channel = open()) {
            for (int position = from; position < to; ) {
                ByteBuffer zeros = ZEROS.duplicate();
                zeros.limit(Math.min(PAGE, to - position));
                position += channel.write(zeros, position);
            }
        }
        reservedBytes = to;
    }

    private FileChannel open() throws IOException {
        return FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private int wholeEntries(int sizeBytes) {
        return sizeBytes - sizeBytes % entrySize;
    }

    private static int roundUpToPage(int sizeBytes) {
        return sizeBytes > Integer.MAX_VALUE - PAGE ? Integer.MAX_VALUE : (sizeBytes + PAGE - 1) / PAGE * PAGE;
    }
}
