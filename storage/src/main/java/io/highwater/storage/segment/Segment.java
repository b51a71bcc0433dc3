package io.highwater.storage.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The batches from one base offset on, with their offset, time and aborted-transaction indexes. Hot.
 *
 * <p>The owner (the partition's lock) appends, truncates, seals and closes. Everybody else first takes a lease ({@link
 * #tryLease}), reads below the published {@link Tail}, and returns the lease; files are unmapped and closed when the owner
 * has closed the segment and the last lease is back. What is truncated under a lease stays mapped and reads as zeros.
 */
public final class Segment {
    private static final Logger log = LoggerFactory.getLogger(Segment.class);
    private static final int UNREAD = -2;

    private final long baseOffset;
    private final SegmentShape shape;
    private final LogFile logFile;
    private final SegmentIndexes indexes;

    private final Leases leases = new Leases();
    private final HotTail hotTail = new HotTail();
    private final SegmentPositions positions;
    private final SegmentTimestamps timestamps;

    // The owner's alone.
    private long createdMs;
    private long firstTimestampMs = UNREAD;
    private int bytesSinceIndexEntry;

    Segment(long baseOffset, SegmentShape shape, LogFile logFile, SegmentIndexes indexes, long createdMs) {
        this.baseOffset = baseOffset;
        this.shape = shape;
        this.logFile = logFile;
        this.indexes = indexes;
        this.createdMs = createdMs;
        this.positions = new SegmentPositions(logFile, indexes.offsets(), Tail.opened(baseOffset, logFile.end()));
        this.timestamps = new SegmentTimestamps(positions, indexes);
    }

    /** Makes a new, empty segment that takes appends. */
    public static Segment create(Path directory, long baseOffset, SegmentShape shape, long nowMs) throws IOException {
        LogFile logFile =
                LogFile.open(SegmentFiles.file(directory, baseOffset, SegmentFiles.LOG), shape.maxBytes(), true);
        SegmentIndexes indexes = SegmentIndexes.at(directory, baseOffset, false);
        Segment segment = new Segment(baseOffset, shape, logFile, indexes, nowMs);
        try {
            indexes.create(shape.indexBytes());
            return segment;
        } catch (IOException e) {
            segment.discard();
            throw e;
        }
    }

    /**
     * Opens a segment that was closed well: its indexes are trusted and looked at when needed. Its end offset is not known
     * until {@link #findEnd} or {@link #endsAt}; it takes appends after {@link #unseal}.
     */
    public static Segment open(Path directory, long baseOffset, SegmentShape shape, long nowMs) throws IOException {
        LogFile logFile = LogFile.open(SegmentFiles.file(directory, baseOffset, SegmentFiles.LOG), 0, false);
        boolean hasTxnIndex = Files.exists(SegmentFiles.file(directory, baseOffset, SegmentFiles.TXN_INDEX));
        return new Segment(baseOffset, shape, logFile, SegmentIndexes.at(directory, baseOffset, hasTxnIndex), nowMs);
    }

    /** First offset the segment may hold; the name of its files. */
    public long baseOffset() {
        return baseOffset;
    }

    /** Next offset to be written; of a sealed segment, at most the base offset of the next one. */
    public long endOffset() {
        return positions.tail().endOffset();
    }

    /** Bytes of batches. */
    public int sizeBytes() {
        return positions.tail().endPosition();
    }

    /** Whether it holds no batch. */
    public boolean isEmpty() {
        return sizeBytes() == 0;
    }

    /** How it was built. */
    public SegmentShape shape() {
        return shape;
    }

    /** Its file of batches. */
    public Path path() {
        return logFile.path();
    }

    /** Whether one of the indexes takes no further entry. */
    public boolean indexIsFull() throws IOException {
        return indexes.isFull();
    }

    /** Whether an offset can be expressed relative to the base offset. */
    public boolean fits(long offset) {
        return offset >= baseOffset && offset - baseOffset <= Integer.MAX_VALUE;
    }

    /** Keeps the files open and mapped until {@link #release}; false if the segment is closed for good. */
    public boolean tryLease() {
        return leases.tryTake();
    }

    /** Returns a lease. */
    public void release() {
        settle(leases.giveBack());
    }

    // ---- the owner's ----

    /**
     * Writes whole batches at the end; all of them become visible at once. Offsets must be assigned, rise and fit.
     *
     * @throws IOException if they could not be written; nothing of them is visible then, and the segment is as before
     */
    public void append(ByteBuffer batches) throws IOException {
        Tail before = timestamps.withLargest();
        int start = batches.position();
        int size = batches.remaining();
        indexes.reserve(size / Math.max(shape.indexIntervalBytes(), BatchHeader.LEGACY_SIZE) + 1);
        logFile.append(batches);
        batches.position(start);
        positions.publish(index(batches, before));
        hotTail.appended(BatchHeader.baseOffset(batches, start), before.endPosition());
    }

    /** No more appends: the last time index entry is forced, the indexes are cut to what is used. May be repeated. */
    public void seal() throws IOException {
        Tail t = timestamps.withLargest();
        indexes.reserve(1);
        indexes.times().maybeAppend(t.maxTimestampMs(), t.maxTimestampOffset(), true);
        indexes.trim();
        logFile.expectAtMost(t.endPosition());
        if (leases.nobodyReads()) {
            logFile.trim();
        }
    }

    /** Takes appends, after {@link #seal} or after opening. */
    public void unseal() throws IOException {
        indexes.extend(shape.indexBytes());
        logFile.expectAtMost(shape.maxBytes());
    }

    /**
     * Drops the batch that contains {@code offset} and all behind it, and takes appends from that offset on.
     *
     * @return bytes dropped
     */
    public int truncateTo(long offset, long nowMs) throws IOException {
        int end = sizeBytes();
        int position = positions.cutFor(offset);
        unseal();
        indexes.truncateTo(offset);
        bytesSinceIndexEntry = 0;
        hotTail.truncated();
        positions.truncate(Tail.opened(offset, position));
        // A reader that took its lease before this line is counted; a later one sees the new tail.
        logFile.truncate(position, !leases.nobodyReads());
        if (position == 0) {
            createdMs = nowMs;
            firstTimestampMs = UNREAD;
        }
        positions.publish(timestamps.searchLargest());
        return end - position;
    }

    /** Tells the segment where it ends, which opening it did not find out. */
    public void endsAt(long endOffset) {
        positions.publish(positions.tail().withEndOffset(endOffset));
    }

    /** Finds the end offset by walking over the batches behind the last index entry. */
    public void findEnd() throws IOException {
        endsAt(positions.findEndOffset(baseOffset));
    }

    /** Epoch of the leader that wrote the last batch; -1 if there is no batch, or an old one that does not know it. */
    public int newestLeaderEpoch() throws IOException {
        return positions.newestLeaderEpoch();
    }

    /**
     * What is wrong with one of its indexes, as far as a short look tells; null if nothing. For a segment that was just opened.
     *
     * @param endOffset which no batch of the segment reaches (exclusive)
     */
    public @Nullable String indexFlaw(long endOffset) throws IOException {
        return indexes.flaw(sizeBytes(), endOffset);
    }

    /** Records the end of a transaction that was aborted; its marker is in this segment. */
    public void addAborted(AbortedTxn txn) throws IOException {
        indexes.txns().append(txn);
    }

    /**
     * How long the segment has been filling: from its first batch's timestamp to {@code timestampMs}, or, if records have no
     * timestamps, from its creation to {@code nowMs}.
     */
    public long ageMs(long nowMs, long timestampMs) throws IOException {
        if (firstTimestampMs == UNREAD && !isEmpty()) {
            firstTimestampMs = BatchHeader.maxTimestamp(positions.bytes(positions.tail()), 0);
        }
        return firstTimestampMs >= 0 ? timestampMs - firstTimestampMs : nowMs - createdMs;
    }

    /** Closes a segment that nobody has seen, and deletes its files. */
    public void discard() throws IOException {
        close();
        for (Path file : SegmentMove.paths(logFile, indexes)) {
            Files.deleteIfExists(file);
        }
    }

    /** Marks the files as waiting for deletion, by name; readers go on. */
    public List<Path> renameToDeleted() throws IOException {
        return SegmentMove.addSuffix(SegmentFiles.DELETED, logFile, indexes);
    }

    /** The partition's directory has been renamed. */
    public void movedTo(Path directory) {
        SegmentMove.directoryMoved(directory, logFile, indexes);
    }

    /** Whether a truncation under a reader has left zeros behind the data, which go when the reader does. */
    public boolean hasZeros() {
        return logFile.hasZeros();
    }

    /** Gives up the owner's lease: files close when nobody reads any more. */
    public void close() {
        settle(leases.giveBackAsOwner());
    }

    // ---- anybody's, with a lease ----

    /** Writes everything to the disk and waits for it. */
    public void flush() throws IOException {
        logFile.force();
        indexes.force();
    }

    /**
     * Reads from the batch that contains {@code fetchOffset}, or the first behind it, to a limit.
     *
     * @param maxBytes limit in bytes; it may cut a later batch, but not the first
     * @param upperBound no batch from this offset on (exclusive)
     * @param minOneBatch whether the first batch is returned even if it is above the limit; if not, nothing is
     * @return a slice, which has taken over the caller's lease unless it is empty; null if the segment has no such batch
     */
    public @Nullable LogSlice read(long fetchOffset, int maxBytes, long upperBound, boolean minOneBatch)
            throws IOException {
        long found = positions.find(fetchOffset, maxBytes, upperBound, minOneBatch);
        if (found == SegmentPositions.NOWHERE) {
            return null;
        }
        int position = SegmentPositions.position(found);
        int size = SegmentPositions.size(found);
        return size == 0
                ? LogSlice.empty(fetchOffset, baseOffset, position)
                : new LogSlice(this, fetchOffset, baseOffset, position, size);
    }

    /** First record at or behind {@code startOffset} with this timestamp or a later one; null if there is none. */
    public @Nullable TimestampedOffset find(long timestampMs, long startOffset, int maxRecordBytes) throws IOException {
        return timestamps.find(timestampMs, startOffset, maxRecordBytes);
    }

    /** The first record with the largest timestamp of the segment; null if no record has one. */
    public @Nullable TimestampedOffset findLargestTimestamp(int maxRecordBytes) throws IOException {
        return timestamps.findLargest(maxRecordBytes);
    }

    /** Largest timestamp of a record in ms, -1 if no record has one. */
    public long maxTimestampMs() throws IOException {
        return timestamps.withLargest().maxTimestampMs();
    }

    /** Largest timestamp of a record in ms or, if there is none, when the file was last changed. */
    public long lastUsedMs() throws IOException {
        long largest = maxTimestampMs();
        return largest >= 0 ? largest : Files.getLastModifiedTime(path()).toMillis();
    }

    /** An offset inside the first batch at or behind {@code position} that the index knows; -1 if it knows none there. */
    public long indexedOffsetFrom(int position) throws IOException {
        return indexes.offsets().ceilingOffset(position);
    }

    /** An offset such that every batch of the slice ends below it; -1 if only the end of the segment is known to do. */
    public long offsetBehind(LogSlice slice) throws IOException {
        return indexes.offsets().ceilingOffset((long) slice.position() + slice.sizeBytes());
    }

    /**
     * Adds the aborted transactions that overlap [fetchOffset, upperBound) to {@code found}.
     *
     * @return whether no later segment can hold more of them
     */
    public boolean collectAborted(long fetchOffset, long upperBound, List<AbortedTxn> found) throws IOException {
        return indexes.txns().collect(fetchOffset, upperBound, found);
    }

    /** Whether what lies from {@code offset} on was written a short while ago, and so is in memory. */
    public boolean isHotFrom(long offset) {
        return hotTail.coversOffset(offset);
    }

    /** The segment a slice was read from. */
    public static Segment of(LogSlice slice) {
        return slice.segment();
    }

    ByteBuffer view(int position, int sizeBytes) throws IOException {
        return logFile.mapped(position + sizeBytes).view(position, sizeBytes);
    }

    FileChannel channel() {
        return logFile.channel();
    }

    boolean isHot(int position, int sizeBytes) throws IOException {
        return hotTail.coversPosition(position)
                || logFile.mapped(position + sizeBytes).isLoaded(position, sizeBytes);
    }

    void load(int position, int sizeBytes) throws IOException {
        logFile.mapped(position + sizeBytes).load(position, sizeBytes);
    }

    LogFile logFile() {
        return logFile;
    }

    SegmentIndexes indexes() {
        return indexes;
    }

    /** For {@link SegmentRecovery}: forgets the end and all index entries, to find them again from the batches. */
    void startOver() throws IOException {
        indexes.create(shape.indexBytes());
        indexes.txns().reset();
        bytesSinceIndexEntry = 0;
        positions.publish(Tail.opened(baseOffset, 0).withLargest(-1, baseOffset));
    }

    /** For {@link SegmentRecovery}: takes in a batch that is in the file already. */
    void recovered(ByteBuffer batch) throws IOException {
        indexes.reserve(1);
        positions.publish(index(batch, positions.tail()));
    }

    // ---- steps ----

    private Tail index(ByteBuffer batches, Tail before) throws IOException {
        long maxTimestampMs = before.maxTimestampMs();
        long maxTimestampOffset = before.maxTimestampOffset();
        long lastOffset = -1;
        int filePosition = before.endPosition();
        for (int at = batches.position(); at < batches.limit(); ) {
            int size = BatchHeader.sizeInBytes(batches, at);
            lastOffset = BatchHeader.lastOffset(batches, at);
            long timestampMs = BatchHeader.maxTimestamp(batches, at);
            if (timestampMs > maxTimestampMs) {
                maxTimestampMs = timestampMs;
                maxTimestampOffset = lastOffset;
            }
            if (bytesSinceIndexEntry > shape.indexIntervalBytes()) {
                indexes.offsets().append(lastOffset, filePosition);
                indexes.times().maybeAppend(maxTimestampMs, maxTimestampOffset, false);
                bytesSinceIndexEntry = 0;
            }
            bytesSinceIndexEntry += size;
            filePosition += size;
            at += size;
        }
        return new Tail(
                lastOffset + 1,
                filePosition,
                BatchHeader.baseOffset(batches, batches.position()),
                before.endPosition(),
                maxTimestampMs,
                maxTimestampOffset);
    }

    private void settle(Leases.Left left) {
        try {
            if (left == Leases.Left.NOBODY) {
                indexes.close();
                logFile.close();
            } else if (left == Leases.Left.ONLY_OWNER && logFile.hasZeros()) {
                logFile.trim();
            }
        } catch (IOException e) {
            log.warn("Cannot trim or close {}: {}", path(), e.toString()); // nothing is lost, see LogFile
        }
    }

    @Override
    public String toString() {
        return "Segment(" + path().getFileName() + ", " + sizeBytes() + " bytes, end offset " + endOffset() + ")";
    }
}
