package io.highwater.storage.producer;

import io.highwater.storage.producer.ProducerSnapshot.CorruptSnapshotException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All producers of one partition: duplicates, sequence gaps, fenced epochs, open transactions. Guarded by the partition's lock,
 * except {@link #firstUnstableOffset}, which any thread may read.
 *
 * <p>The log asks with {@code check...} before it writes a batch, and tells with {@link #appended} or {@link #ended} after; replicas
 * and recovery, which do not judge, tell with {@link #replay}. After every append {@link #advanceEndOffset} follows.
 */
public final class ProducerStates {
    /** {@link #firstUnstableOffset} while every transaction is ended and committed. */
    public static final long ALL_STABLE = Long.MAX_VALUE;

    private static final Logger LOG = LoggerFactory.getLogger(ProducerStates.class);

    private final SnapshotFiles snapshots;
    private final long expirationMs;
    private final Map<Long, ProducerState> producers = new HashMap<>();

    /** Open transactions: first offset to producer id. */
    private final TreeMap<Long, Long> open = new TreeMap<>();

    /** Ended transactions whose marker is not yet known to be committed: first offset to offset of the marker. */
    private final TreeMap<Long, Long> uncommitted = new TreeMap<>();

    /** The state covers all below this offset. */
    private long endOffset;

    /** Offset of the newest snapshot, or where the state began. */
    private long snapshotOffset;

    /** The producer of the last lookup: a partition mostly hears from the same one again. */
    private @Nullable ProducerState lookedUp;

    private volatile long firstUnstableOffset = ALL_STABLE;

    private ProducerStates(SnapshotFiles snapshots, long expirationMs) {
        this.snapshots = snapshots;
        this.expirationMs = expirationMs;
    }

    /**
     * Finds the snapshots of a partition directory; nothing is loaded before {@link #reload}.
     *
     * @param expirationMs a producer silent for this long is forgotten ({@code producer.id.expiration.ms})
     * @throws IOException if the directory cannot be listed
     */
    public static ProducerStates open(Path partitionDirectory, long expirationMs) throws IOException {
        return new ProducerStates(new SnapshotFiles(partitionDirectory), expirationMs);
    }

    // ---- before an append -------------------------------------------------------------------------------------------

    /** Whether a producer's batch may be written: every rule holds. Offsets of the batch are not looked at. */
    public ProducerVerdict checkClient(ProducerBatch batch) {
        return ProducerRules.client(find(batch.producerId()), batch, endOffset);
    }

    /** Whether a coordinator's batch on behalf of a producer may be written: sequences are not looked at. */
    public ProducerVerdict checkCoordinator(ProducerBatch batch) {
        return ProducerRules.coordinator(find(batch.producerId()), batch);
    }

    /**
     * Whether a marker may be written.
     *
     * @param transactionVersion of the transaction it ends: 0, 1 or 2
     */
    public ProducerVerdict checkMarker(TransactionMarker marker, short transactionVersion) {
        return ProducerRules.marker(find(marker.producerId()), marker, transactionVersion);
    }

    // ---- after an append --------------------------------------------------------------------------------------------

    /** A data batch of a producer was written. */
    public void appended(ProducerBatch batch) {
        ProducerState state = findOrCreate(batch.producerId());
        state.add(batch.producerEpoch(), AppendedBatch.of(batch));
        if (batch.transactional() && !state.hasOpenTransaction()) {
            state.transactionFirstOffset = batch.baseOffset();
            open.put(batch.baseOffset(), batch.producerId());
            publish();
        }
    }

    /**
     * A marker was written.
     *
     * @return the transaction it ended, null if none was open
     */
    public @Nullable CompletedTransaction ended(TransactionMarker marker) {
        ProducerState state = findOrCreate(marker.producerId());
        long firstOffset = state.transactionFirstOffset;
        boolean wasOpen = state.hasOpenTransaction();
        state.endTransaction(marker.producerEpoch(), marker.coordinatorEpoch(), marker.timestampMs());
        if (!wasOpen) {
            return null;
        }
        if (open.remove(firstOffset) == null) {
            throw new IllegalStateException("producer " + marker.producerId() + " has a transaction from offset "
                    + firstOffset + " that is not among the open ones");
        }
        uncommitted.put(firstOffset, marker.offset());
        publish();
        long lastStableOffset = open.isEmpty() ? marker.offset() + 1 : open.firstKey();
        return new CompletedTransaction(
                marker.producerId(), firstOffset, marker.offset(), marker.abort(), lastStableOffset);
    }

    /**
     * A batch is in the log already: on a replica, or found again by recovery. What a leader would have refused is logged and taken.
     *
     * @return the transaction it ended, if it did
     */
    public @Nullable CompletedTransaction replay(RecordBatch batch) {
        if (!batch.hasProducerId()) {
            return null;
        }
        if (batch.isControlBatch()) {
            TransactionMarker marker = TransactionMarker.of(batch);
            return marker == null ? null : ended(marker);
        }
        ProducerBatch data = ProducerBatch.of(batch);
        ProducerState state = find(data.producerId());
        if (state != null && state.hasOpenTransaction() && !data.transactional()) {
            LOG.warn(
                    "producer {} wrote outside its open transaction at offset {}",
                    data.producerId(),
                    data.baseOffset());
        }
        appended(data);
        return null;
    }

    /** Whether of some producer fewer batches are known than it may have in flight: it came from a snapshot, or is new. */
    public boolean remembersTooLittle() {
        return producers.values().stream().anyMatch(ProducerState::remembersTooLittle);
    }

    /** Starts to look for them in the end of the log. */
    public ProducerRecall recall() {
        return new ProducerRecall(Collections.unmodifiableMap(producers));
    }

    /** The state now covers all below this offset. */
    public void advanceEndOffset(long logEndOffset) {
        endOffset = logEndOffset;
    }

    /** All below this offset is committed: transactions whose markers lie there no longer hold readers back. */
    public void onHighWatermark(long highWatermark) {
        if (uncommitted.values().removeIf(markerOffset -> markerOffset < highWatermark)) {
            publish();
        }
    }

    /** The log begins at this offset now. */
    public void onLogStartOffset(long logStartOffset) {
        onHighWatermark(logStartOffset);
        endOffset = Math.max(endOffset, logStartOffset);
        Long newest = snapshots.newest();
        snapshotOffset = newest == null ? logStartOffset : newest;
    }

    // ---- questions --------------------------------------------------------------------------------------------------

    /**
     * First offset that a reader of committed data must not pass: where the oldest transaction began that is open, or ended by a
     * marker not yet committed. {@link #ALL_STABLE} if there is none. Any thread.
     */
    public long firstUnstableOffset() {
        return firstUnstableOffset;
    }

    /** The state covers all below this offset. */
    public long endOffset() {
        return endOffset;
    }

    /** Offset of the newest snapshot, or null. */
    public @Nullable Long newestSnapshotOffset() {
        return snapshots.newest();
    }

    /** Offset of the oldest snapshot, or null. */
    public @Nullable Long oldestSnapshotOffset() {
        return snapshots.oldest();
    }

    /** Whether a producer has a transaction open here in this epoch. */
    public boolean hasOpenTransaction(long producerId, short producerEpoch) {
        ProducerState state = find(producerId);
        return state != null && state.hasOpenTransaction() && state.epoch == producerEpoch;
    }

    /** Number of producers remembered. */
    public int producerCount() {
        return producers.size();
    }

    /** All producers, in no order; a copy. */
    public List<ActiveProducer> producers() {
        return producers.values().stream()
                .map(state -> new ActiveProducer(
                        state.producerId,
                        state.epoch,
                        state.lastSequence(),
                        state.lastTimestampMs,
                        state.coordinatorEpoch,
                        state.transactionFirstOffset))
                .toList();
    }

    // ---- snapshots, truncation, expiry ------------------------------------------------------------------------------

    /**
     * Writes the state at {@link #endOffset}, unless the newest snapshot is as new.
     *
     * @param fsync whether to wait for the disk; at a roll the segment's flush does it later
     * @return the file written, or null
     * @throws IOException if the disk failed
     */
    public @Nullable Path takeSnapshot(boolean fsync) throws IOException {
        if (endOffset <= snapshotOffset) {
            return null;
        }
        Path file = snapshots.file(endOffset);
        ProducerSnapshot.write(file, producers.values(), fsync);
        snapshots.added(endOffset);
        snapshotOffset = endOffset;
        return file;
    }

    /**
     * Makes the state fit a log that goes from start to end: drops snapshots outside, and unless the state already ends there loads
     * the newest usable one. The caller then replays the batches from {@link #endOffset} on.
     *
     * @throws IOException if the disk failed; a snapshot that is not usable is logged, deleted and the next older one taken
     */
    public void reload(long logStartOffset, long logEndOffset, long nowMs) throws IOException {
        for (Long offset : snapshots.all()) {
            if (offset > logEndOffset || offset <= logStartOffset) {
                snapshots.delete(offset);
            }
        }
        if (logEndOffset == endOffset) {
            onLogStartOffset(logStartOffset);
            return;
        }
        forgetAll();
        loadNewestSnapshot(logStartOffset, nowMs);
        publish();
    }

    /**
     * Forgets everything and every snapshot; the log begins anew at an offset.
     *
     * @throws IOException if the disk failed
     */
    public void truncateFullyAndStartAt(long offset) throws IOException {
        forgetAll();
        publish();
        for (Long snapshot : snapshots.all()) {
            snapshots.delete(snapshot);
        }
        snapshotOffset = 0;
        endOffset = offset;
    }

    /**
     * Deletes the snapshots that belong to no segment, but not the newest if it is above all segments' base offsets.
     *
     * @throws IOException if the disk failed
     */
    public void removeStraySnapshots(Collection<Long> segmentBaseOffsets) throws IOException {
        snapshots.deleteStrays(segmentBaseOffsets);
    }

    /**
     * Deletes all snapshots below an offset.
     *
     * @throws IOException if the disk failed
     */
    public void deleteSnapshotsBefore(long offset) throws IOException {
        for (Long snapshot : snapshots.all()) {
            if (snapshot < offset) {
                snapshots.delete(snapshot);
            }
        }
    }

    /**
     * Renames a segment's snapshot to {@code .deleted}; the caller deletes the file later.
     *
     * @return the renamed file, null if there was none
     * @throws IOException if the disk failed
     */
    public @Nullable Path detachSnapshot(long offset) throws IOException {
        return snapshots.detach(offset);
    }

    /** Follows a rename of the partition's directory. */
    public void moveTo(Path partitionDirectory) {
        snapshots.moveTo(partitionDirectory);
    }

    /** Forgets producers that have been silent too long and have no transaction open. */
    public void removeExpired(long nowMs) {
        producers.values().removeIf(state -> isExpired(state, nowMs));
        lookedUp = null;
    }

    // ---- private steps ----------------------------------------------------------------------------------------------

    private void loadNewestSnapshot(long logStartOffset, long nowMs) throws IOException {
        for (Long offset = snapshots.newest(); offset != null; offset = snapshots.newest()) {
            try {
                for (ProducerState state : ProducerSnapshot.read(snapshots.file(offset))) {
                    if (!isExpired(state, nowMs)) {
                        adopt(state);
                    }
                }
                snapshotOffset = offset;
                endOffset = offset;
                return;
            } catch (CorruptSnapshotException e) {
                LOG.warn("{}; it is deleted and the next older one is used", e.getMessage());
                snapshots.delete(offset);
            }
        }
        snapshotOffset = logStartOffset;
        endOffset = logStartOffset;
    }

    private void adopt(ProducerState state) {
        producers.put(state.producerId, state);
        if (state.hasOpenTransaction()) {
            open.put(state.transactionFirstOffset, state.producerId);
        }
    }

    private void forgetAll() {
        producers.clear();
        open.clear();
        uncommitted.clear();
        lookedUp = null;
    }

    private boolean isExpired(ProducerState state, long nowMs) {
        return !state.hasOpenTransaction() && nowMs - state.lastTimestampMs >= expirationMs;
    }

    private @Nullable ProducerState find(long producerId) {
        ProducerState last = lookedUp;
        if (last != null && last.producerId == producerId) {
            return last;
        }
        ProducerState found = producers.get(producerId);
        if (found != null) {
            lookedUp = found;
        }
        return found;
    }

    private ProducerState findOrCreate(long producerId) {
        ProducerState found = find(producerId);
        if (found == null) {
            found = new ProducerState(producerId);
            producers.put(producerId, found);
            lookedUp = found;
        }
        return found;
    }

    private void publish() {
        long first = open.isEmpty() ? ALL_STABLE : open.firstKey();
        firstUnstableOffset = uncommitted.isEmpty() ? first : Math.min(first, uncommitted.firstKey());
    }
}
