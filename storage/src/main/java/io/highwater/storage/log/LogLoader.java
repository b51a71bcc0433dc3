package io.highwater.storage.log;

import io.highwater.storage.epoch.LeaderEpochHistory;
import io.highwater.storage.producer.CompletedTransaction;
import io.highwater.storage.producer.ProducerStates;
import io.highwater.storage.segment.AbortedTxn;
import io.highwater.storage.segment.OverflowedSegmentException;
import io.highwater.storage.segment.Segment;
import io.highwater.storage.segment.SegmentFiles;
import io.highwater.storage.segment.SegmentRecovery;
import io.highwater.storage.segment.SegmentRecovery.Cut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the segments of a directory and, if it was not closed in order, finds out what of them is whole: every segment from
 * the one that holds the recovery point on is read, the first damage ends the log. Waits for the disk, possibly for minutes.
 */
final class LogLoader {
    private static final Logger log = LoggerFactory.getLogger(LogLoader.class);

    private final LogOpening opening;
    private final LogFiles files;
    private final LeaderEpochHistory epochs;
    private final ProducerStates producers;
    private final long nowMs;
    private final SegmentList segments = new SegmentList();

    /** Had new indexes already: who cannot read them all the same gives up. */
    private final Set<Segment> mended = new HashSet<>();

    private boolean hasRecovered;

    LogLoader(LogOpening opening, LogFiles files, LeaderEpochHistory epochs, ProducerStates producers, long nowMs) {
        this.opening = opening;
        this.files = files;
        this.epochs = epochs;
        this.producers = producers;
        this.nowMs = nowMs;
    }

    LoadedLog load() throws IOException {
        while (true) {
            try {
                return loadSegments();
            } catch (OverflowedSegmentException e) {
                split(e);
            }
        }
    }

    /** Only where offsets go on rising: a batch whose offset alone is far away is a damaged one. */
    private void split(OverflowedSegmentException overflow) throws IOException {
        Segment segment = overflow.segment();
        if (!SegmentRecovery.isWhole(segment)) {
            throw overflow;
        }
        log.warn("{}: {}; it is split", opening.topicPartition(), overflow.getMessage());
        abandon();
        segments.removeAll(segments.all());
        new SegmentSplit(opening.directory()).split(segment.baseOffset());
    }

    private LoadedLog loadSegments() throws IOException {
        LeftoverFiles.settle(opening.directory());
        openSegments();
        if (!opening.cleanShutdown()) {
            recover();
        }
        long logEndOffset = findEnd();
        if (logEndOffset < opening.logStartOffset()) {
            log.warn(
                    "{}: the log ends at offset {}, before its start {}; it restarts empty there",
                    opening.topicPartition(),
                    logEndOffset,
                    opening.logStartOffset());
            logEndOffset = restartAt(opening.logStartOffset());
        }
        long logStartOffset =
                Math.max(opening.logStartOffset(), segments.first().baseOffset());
        epochs.truncateFromEnd(logEndOffset);
        epochs.truncateFromStart(logStartOffset);
        long end = logEndOffset;
        mending(() -> EpochCorrection.correct(opening.topicPartition(), epochs, segments, logStartOffset, end));
        loadProducers(logStartOffset, logEndOffset);
        segments.active().unseal();
        long recoveryPoint = opening.cleanShutdown() ? logEndOffset : Math.min(opening.recoveryPoint(), logEndOffset);
        return new LoadedLog(segments, logStartOffset, logEndOffset, Math.max(recoveryPoint, logStartOffset));
    }

    /** Closes what a failed {@link #load} had opened. */
    void abandon() {
        segments.all().forEach(Segment::close);
    }

    private void openSegments() throws IOException {
        Set<String> names = LeftoverFiles.names(opening.directory());
        Set<Long> bases = new TreeSet<>();
        for (String name : names) {
            if (name.endsWith(SegmentFiles.LOG) && SegmentFiles.baseOffset(name) >= 0) {
                bases.add(SegmentFiles.baseOffset(name));
            }
        }
        LeftoverFiles.deleteOrphanIndexes(opening.directory(), names, bases);
        for (long base : bases) {
            segments.add(files.open(base, opening.settings(), nowMs));
        }
        checkIndexes(names);
    }

    /** Looks at the indexes of all segments that are not read anyway, because of a crash. */
    private void checkIndexes(Set<String> names) throws IOException {
        List<Segment> all = segments.all();
        int doubtful = opening.cleanShutdown() || all.isEmpty()
                ? 0
                : segments.from(opening.recoveryPoint()).size();
        for (int i = 0; i < all.size() - doubtful; i++) {
            Segment segment = all.get(i);
            String index = SegmentFiles.file(opening.directory(), segment.baseOffset(), SegmentFiles.OFFSET_INDEX)
                    .getFileName()
                    .toString();
            long nextBase = i + 1 < all.size() ? all.get(i + 1).baseOffset() : Long.MAX_VALUE;
            String flaw = names.contains(index) ? segment.indexFlaw(nextBase) : index + ": there is none";
            if (flaw != null) {
                log.warn("{}: the indexes of a segment are rebuilt: {}", opening.topicPartition(), flaw);
                recover(segment);
            }
        }
    }

    private void recover() throws IOException {
        List<Segment> unflushed = segments.isEmpty() ? List.of() : segments.from(opening.recoveryPoint());
        for (int i = 0; i < unflushed.size(); i++) {
            Segment segment = unflushed.get(i);
            Cut cut = recover(segment);
            opening.progress().onSegment(opening.topicPartition(), i + 1, unflushed.size());
            List<Segment> behind = unflushed.subList(i + 1, unflushed.size());
            if (cut.cutBytes() > 0 && !cut.truncatedBefore()) {
                log.warn(
                        "{}: {} bytes cut off {}, and {} segments behind it dropped",
                        opening.topicPartition(),
                        cut.cutBytes(),
                        segment.path(),
                        behind.size());
                drop(behind);
                return;
            }
        }
    }

    /** Rebuilds one segment, starting from the producers as they were at its beginning. */
    private Cut recover(Segment segment) throws IOException {
        hasRecovered = true;
        ProducerStates before = ProducerStates.open(opening.directory(), opening.producerExpirationMs());
        mending(() -> ProducerReplay.fit(
                before, precedingSegments(segment), opening.logStartOffset(), segment.baseOffset(), nowMs));
        Cut cut = SegmentRecovery.recover(segment, batch -> replay(before, segment, batch));
        before.advanceEndOffset(segment.endOffset());
        ProducerReplay.leaveSnapshot(before, false);
        return cut;
    }

    private void loadProducers(long logStartOffset, long logEndOffset) throws IOException {
        mending(() -> {
            producers.removeStraySnapshots(
                    segments.all().stream().map(Segment::baseOffset).toList());
            boolean clean = opening.cleanShutdown() && !hasRecovered; // recovery drops snapshots
            ProducerReplay.load(producers, segments, logStartOffset, logEndOffset, clean, nowMs);
        });
        try {
            mending(() -> ProducerReplay.recall(producers, segments, logStartOffset, logEndOffset));
        } catch (DamagedSegmentException e) {
            ProducerReplay.onRecallFailed(opening.topicPartition(), e);
        }
    }

    /** Something that reads segments. It begins anew when it is run again. */
    private interface Reading {
        void run() throws IOException;
    }

    /** Reads; a segment that cannot be read though its batches are whole gets new indexes, and the reading is done again. */
    private void mending(Reading reading) throws IOException {
        while (true) {
            try {
                reading.run();
                return;
            } catch (DamagedSegmentException e) {
                mend(e);
            }
        }
    }

    private void mend(DamagedSegmentException damage) throws IOException {
        Segment segment = damage.segment();
        if (!mended.add(segment) || !SegmentRecovery.isWhole(segment)) {
            throw damage;
        }
        log.warn("{}: the indexes of a segment are rebuilt: {}", opening.topicPartition(), damage.getMessage());
        recover(segment);
        Segment next = segments.higher(segment.baseOffset());
        if (next != null) {
            segment.endsAt(next.baseOffset());
        }
    }

    private SegmentList precedingSegments(Segment segment) {
        SegmentList preceding = new SegmentList();
        segments.all().stream()
                .filter(other -> other.baseOffset() < segment.baseOffset())
                .forEach(preceding::add);
        return preceding;
    }

    private void replay(ProducerStates before, Segment segment, RecordBatch batch) throws IOException {
        if (batch.magic() >= RecordBatch.MAGIC_VALUE_V2 && batch.partitionLeaderEpoch() > epochs.latestEpoch()) {
            epochs.assign(batch.partitionLeaderEpoch(), batch.baseOffset());
        }
        CompletedTransaction completed = before.replay(batch);
        if (completed != null && completed.aborted()) {
            segment.addAborted(new AbortedTxn(
                    completed.producerId(),
                    completed.firstOffset(),
                    completed.lastOffset(),
                    completed.lastStableOffset()));
        }
    }

    private long findEnd() throws IOException {
        if (segments.isEmpty()) {
            return restartAt(opening.logStartOffset());
        }
        List<Segment> all = segments.all();
        for (int i = 0; i + 1 < all.size(); i++) {
            all.get(i).endsAt(all.get(i + 1).baseOffset());
        }
        try {
            segments.active().findEnd();
        } catch (CorruptRecordException e) {
            log.warn(
                    "{}: closed in order, but damaged since; its end is read again: {}",
                    opening.topicPartition(),
                    e.getMessage());
            recover(segments.active());
        }
        return segments.active().endOffset();
    }

    private long restartAt(long offset) throws IOException {
        drop(segments.all());
        epochs.clear();
        producers.truncateFullyAndStartAt(offset);
        segments.add(files.create(offset, opening.settings(), nowMs));
        return offset;
    }

    private void drop(List<Segment> gone) throws IOException {
        segments.removeAll(gone);
        for (Segment segment : gone) {
            Path snapshot = producers.detachSnapshot(segment.baseOffset());
            if (snapshot != null) {
                Files.deleteIfExists(snapshot);
            }
        }
        files.delete(gone, List.of(), opening.settings());
    }
}
