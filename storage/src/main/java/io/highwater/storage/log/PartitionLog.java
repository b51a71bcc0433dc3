package io.highwater.storage.log;

import io.highwater.storage.epoch.LeaderEpochHistory;
import io.highwater.storage.epoch.LeaderEpochHistory.EpochEnd;
import io.highwater.storage.producer.ActiveProducer;
import io.highwater.storage.producer.ProducerStates;
import io.highwater.storage.segment.AbortedTxn;
import io.highwater.storage.segment.LogSlice;
import io.highwater.storage.segment.Segment;
import io.highwater.storage.segment.TimestampedOffset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The log of one replica: append, read, look up, truncate, retain, flush. Hot: {@link #append} and {@link #read}.
 *
 * <p>Methods of the <em>owner</em> are called under the partition's lock; they change the log. All others are for any thread.
 * Methods that throw {@link IOException} may wait for the disk; {@link #append} and {@link #read} do so only if the disk is
 * full, or the data has left the memory (see {@link #isHot}). The high watermark is not the log's: it is told where it needs it.
 *
 * <p>Invariants: {@code logStartOffset <= logEndOffset}; {@code recoveryPoint <= logEndOffset}; there always is an active
 * segment; what a reader sees is what was appended, or nothing. After a disk failure in the middle of a change the log refuses
 * everything, with {@link org.apache.kafka.common.errors.KafkaStorageException} or KAFKA_STORAGE_ERROR, as a closed one does.
 */
public final class PartitionLog implements AutoCloseable {
    private final LogState state;
    private final LogFlush flush;
    private final LogWriter writer;
    private final LogTruncation truncation;
    private final LogReads reads;

    private PartitionLog(LogState state) {
        this.state = state;
        this.flush = new LogFlush(state);
        this.writer = new LogWriter(state, flush);
        this.truncation = new LogTruncation(state, writer, flush);
        this.reads = new LogReads(state);
    }

    /**
     * Opens the log of a directory, which is made if it is missing; recovers it if it was not closed in order. Waits for the
     * disk, for minutes if much has to be recovered.
     *
     * @param errands where the log will leave work for disk workers
     * @param nowMs wall clock
     * @throws IOException if the disk failed, or the directory holds something that recovery must not touch
     */
    public static PartitionLog open(LogOpening opening, DiskErrands errands, long nowMs) throws IOException {
        Path directory = Files.createDirectories(opening.directory());
        LogFiles files = new LogFiles(opening.topicPartition(), directory, errands);
        LeaderEpochHistory epochs = LeaderEpochHistory.open(directory);
        ProducerStates producers = ProducerStates.open(directory, opening.producerExpirationMs());
        LogLoader loader = new LogLoader(opening, files, epochs, producers, nowMs);
        try {
            LoadedLog loaded = loader.load();
            epochs.flush();
            return new PartitionLog(new LogState(opening, files, epochs, producers, loaded));
        } catch (IOException | RuntimeException e) {
            loader.abandon();
            throw e;
        }
    }

    // ---- what it is ----

    /** Whose log it is. */
    public TopicPartition topicPartition() {
        return state.topicPartition;
    }

    /** Where its files are. */
    public Path directory() {
        return state.files.directory();
    }

    /** The topic's settings, as last told. */
    public LogSettings settings() {
        return state.settings;
    }

    /** Owner. New settings count from the next append, roll or retention on. */
    public void updateSettings(LogSettings settings) {
        state.settings = settings;
    }

    /** First offset kept (inclusive). */
    public long logStartOffset() {
        return state.logStartOffset;
    }

    /** Next offset to be written (exclusive end). */
    public long logEndOffset() {
        return state.logEndOffset;
    }

    /** All below is known to be on the disk. */
    public long recoveryPoint() {
        return state.recoveryPoint();
    }

    /** Bytes of batches in all segments. */
    public long sizeBytes() {
        return state.segments.sizeBytes();
    }

    /** Number of segments, at least 1. */
    public int segmentCount() {
        return state.segments.size();
    }

    /** Base offset of the oldest segment, at or below the log start. */
    public long firstSegmentBaseOffset() {
        return state.segments.all().get(0).baseOffset();
    }

    /** Base offset of the segment that takes appends. */
    public long activeSegmentBaseOffset() {
        return state.segments.active().baseOffset();
    }

    /** Owner. How many idempotent producers are remembered. */
    public int producerCount() {
        return state.producers.producerCount();
    }

    /** Newest leader epoch, -1 if there is none. */
    public int latestEpoch() {
        return state.epochs.latestEpoch();
    }

    // ---- append ----

    /**
     * Owner. Appends a batch as leader: gives it offsets and epoch, asks the producer's state, rolls if needed, writes. What
     * the world or the disk says against it is in the result; the log then is as it was, and usable.
     *
     * @param records from {@link BatchValidator}; if refused there, refused here
     * @param leaderEpoch of this leader
     * @param nowMs wall clock
     */
    public AppendResult append(ValidatedRecords records, AppendOrigin origin, int leaderEpoch, long nowMs) {
        return writer.append(records, origin, leaderEpoch, nowMs);
    }

    /**
     * Owner. Appends what was fetched from the leader, with its offsets and epochs. Refused with CORRUPT_MESSAGE if it was found to be
     * corrupt, or the first offset is below the log end.
     *
     * @return first and last offset are -1 if there was nothing to append
     */
    public AppendResult appendAsFollower(FetchedRecords records, long nowMs) {
        return new FollowerAppend(state, writer, flush, truncation, records, nowMs).run();
    }

    /** Owner. A leader's reign begins at the log end, even if it never writes. The file follows on a disk worker. */
    public void startEpoch(int leaderEpoch) {
        writer.assignEpoch(leaderEpoch, state.logEndOffset);
    }

    /** Owner. Starts a new segment at the log end unless the active one is empty. */
    public void roll(long nowMs) throws IOException {
        if (!state.segments.active().isEmpty()) {
            writer.roll(state.logEndOffset, nowMs);
        }
    }

    // ---- read ----

    /**
     * Reads whole batches (the last may be cut where {@code maxBytes} ends) from the one that contains {@code fetchOffset} on,
     * within one segment. The slice is a lease: {@link LogSlice#release} it.
     *
     * @param maxBytes limit in bytes; if the first batch is larger, nothing is returned unless {@code minOneBatch}
     * @param upperBound only batches below this offset (exclusive): high watermark, last stable offset or log end
     * @param minOneBatch whether the first batch is returned whatever its size
     * @return empty if there is nothing below the bound; null if the offset is outside the log
     * @throws IOException if the disk failed
     * @throws org.apache.kafka.common.errors.CorruptRecordException if the bytes are no batches: what lies elsewhere can still be read
     */
    public @Nullable LogSlice read(long fetchOffset, int maxBytes, long upperBound, boolean minOneBatch)
            throws IOException {
        return reads.read(fetchOffset, maxBytes, upperBound, minOneBatch);
    }

    /** Whether a read from this offset touches only what was written lately, so that it will not wait for the disk. */
    public boolean isHot(long fetchOffset) {
        return reads.isHot(fetchOffset);
    }

    /** The aborted transactions that may have records in a slice, not yet released; possibly more than those. */
    public List<AbortedTxn> abortedTransactions(LogSlice slice) throws IOException {
        return reads.abortedTransactions(slice);
    }

    /** Below it, every transaction is decided and committed (exclusive). */
    public long lastStableOffset(long highWatermark) {
        return Math.min(highWatermark, state.producers.firstUnstableOffset());
    }

    /** Owner. All below is committed; transactions decided there no longer hold back {@link #lastStableOffset}. */
    public void onHighWatermark(long highWatermark) {
        if (state.producers.firstUnstableOffset() != ProducerStates.ALL_STABLE) {
            state.producers.onHighWatermark(highWatermark);
        }
    }

    // ---- look up ----

    /** Where an epoch ended: the largest epoch up to the one asked for, and its end; see {@link LeaderEpochHistory}. */
    public EpochEnd endOffsetForEpoch(int leaderEpoch) {
        return state.epochs.endOffsetFor(leaderEpoch, state.logEndOffset);
    }

    /** The first offset kept; timestamp -1. */
    public TimestampedOffset earliest() {
        return reads.earliest();
    }

    /** The log end; timestamp -1. */
    public TimestampedOffset latest() {
        return reads.latest();
    }

    /**
     * The first record with this timestamp (ms) or a later one; null if there is none. May read a whole segment.
     *
     * @throws org.apache.kafka.common.errors.CorruptRecordException if records on the way there cannot be read
     */
    public @Nullable TimestampedOffset offsetForTimestamp(long timestampMs) throws IOException {
        return reads.ofTimestamp(timestampMs);
    }

    /** The first record with the largest timestamp of all; null if no record has one. */
    public @Nullable TimestampedOffset offsetOfMaxTimestamp() throws IOException {
        return reads.ofMaxTimestamp();
    }

    // ---- producers ----

    /** Owner. What is known of the producers that write here. */
    public List<ActiveProducer> activeProducers() {
        return state.producers.producers();
    }

    /** Owner. Whether this producer has a transaction open here in this epoch. */
    public boolean hasOpenTransaction(long producerId, short producerEpoch) {
        return state.producers.hasOpenTransaction(producerId, producerEpoch);
    }

    /** Owner. Forgets producers that have been silent for too long. */
    public void removeExpiredProducers(long nowMs) {
        state.producers.removeExpired(nowMs);
    }

    // ---- take away ----

    /**
     * Owner. Drops the batch that contains {@code offset} and everything behind it; the log then ends at {@code offset}, and
     * starts there at the latest. The recovery point may go back with it: write it down before anything is appended again, or a crash
     * will look for damage too far behind.
     *
     * @return false if the log ended there or before already
     * @throws IOException if the disk failed; the log is then unusable until it has been recovered
     */
    public boolean truncateTo(long offset, long nowMs) throws IOException {
        return truncation.truncateTo(offset, nowMs);
    }

    /**
     * Owner. Drops everything; the log is empty and starts at {@code offset}.
     *
     * @throws IOException if the disk failed; the log is then unusable until it has been recovered
     */
    public void truncateFullyAndStartAt(long offset, long nowMs) throws IOException {
        truncation.startAt(offset, nowMs);
    }

    /**
     * Owner. Moves the log start forward; segments before it go with the next {@link #retain}.
     *
     * @param offset at most the log end; the caller keeps it at or below the high watermark
     * @return false if the log starts there or later already
     */
    public boolean raiseLogStartOffset(long offset) {
        return truncation.raiseStart(offset);
    }

    /**
     * Owner. Drops segments before the log start and, if the topic is to be deleted from, those above its size or age.
     *
     * @param highWatermark nothing at or behind it goes
     * @return number of segments dropped; their files are deleted by an errand
     */
    public int retain(long nowMs, long highWatermark) throws IOException {
        return truncation.retain(nowMs, highWatermark);
    }

    // ---- to disk ----

    /** Waits until all that is appended now is on the disk; for disk workers. */
    public void flush() throws IOException {
        flush.upTo(state.logEndOffset);
    }

    /** Whether something has been unflushed for {@code flush.ms}. */
    public boolean isFlushDue(long nowMs) {
        return flush.isDue(nowMs);
    }

    /** Owner. The directory has been renamed. */
    public void movedTo(Path directory) {
        state.files.movedTo(directory);
        state.segments.all().forEach(segment -> segment.movedTo(directory));
        state.epochs.moveTo(directory);
        state.producers.moveTo(directory);
    }

    /**
     * Owner. Closes in order: indexes trimmed, producers noted, everything on the disk, so that the next start need not
     * recover. Slices that are still out stay readable. May be repeated.
     *
     * @throws IOException if the disk failed; the log is closed all the same
     */
    @Override
    public void close() throws IOException {
        if (state.whyUnusable() != null) {
            abandon();
            return;
        }
        try {
            state.segments.active().seal();
            state.producers.takeSnapshot(true);
            flush.upTo(state.logEndOffset);
            state.epochs.flush();
            if (state.segments.all().stream().anyMatch(Segment::hasZeros)) {
                throw new IOException("somebody still reads from " + topicPartition()
                        + " what was truncated; it has to be recovered at the next start");
            }
        } finally {
            abandon();
        }
    }

    /** Owner. Closes without writing anything: the directory is going to be deleted, or its disk is broken. May be repeated. */
    public void abandon() {
        if (!state.closed) {
            state.closed = true;
            state.segments.all().forEach(Segment::close);
        }
    }
}
