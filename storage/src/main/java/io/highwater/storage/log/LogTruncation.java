package io.highwater.storage.log;

import io.highwater.storage.segment.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes records away: at the end when leaders change, at the head when they are old. The owner's. */
final class LogTruncation {
    private static final Logger log = LoggerFactory.getLogger(LogTruncation.class);

    private final LogState state;
    private final LogWriter writer;
    private final LogFlush flush;

    LogTruncation(LogState state, LogWriter writer, LogFlush flush) {
        this.state = state;
        this.writer = writer;
        this.flush = flush;
    }

    /** See {@link PartitionLog#truncateTo}. */
    boolean truncateTo(long offset, long nowMs) throws IOException {
        if (offset >= state.logEndOffset) {
            if (state.epochs.truncateFromEnd(state.logEndOffset)) {
                flush.flushEpochsSoon();
            }
            return false;
        }
        if (offset < state.segments.first().baseOffset()) {
            startAt(offset, nowMs);
            return true;
        }
        log.info("{}: truncating from offset {} to {}", state.topicPartition, state.logEndOffset, offset);
        state.truncated(offset); // readers stop here before anything goes
        try {
            List<Segment> above = state.segments.all().stream()
                    .filter(segment -> segment.baseOffset() > offset)
                    .toList();
            state.segments.removeAll(above);
            for (int i = above.size() - 1; i >= 0; i--) { // a crash in between leaves a log without holes
                deleteWithSnapshots(List.of(above.get(i)));
            }
            Segment active = state.segments.active();
            active.truncateTo(offset, nowMs);
            if (active.hasZeros()) {
                state.recoverFrom(active.baseOffset());
            }
            state.epochs.truncateFromEnd(offset);
            flush.flushEpochs();
            ProducerReplay.fit(state.producers, state.segments, state.logStartOffset, offset, nowMs);
            recall(offset);
        } catch (DamagedSegmentException e) {
            state.fail(e);
            throw new CorruptRecordException(e.getMessage(), e); // the log is done for, not its disk
        } catch (IOException e) {
            state.fail(e);
            throw e;
        }
        return true;
    }

    private void recall(long offset) throws IOException {
        try {
            ProducerReplay.recall(state.producers, state.segments, state.logStartOffset, offset);
        } catch (DamagedSegmentException e) {
            ProducerReplay.onRecallFailed(state.topicPartition, e);
        }
    }

    /** See {@link PartitionLog#truncateFullyAndStartAt}. */
    void startAt(long offset, long nowMs) throws IOException {
        log.info("{}: dropping everything and starting at offset {}", state.topicPartition, offset);
        state.startedAt(offset);
        try {
            List<Segment> old = state.segments.all();
            List<Path> renamed = new ArrayList<>();
            for (Segment segment : old) {
                renamed.addAll(segment.renameToDeleted());
            }
            state.segments.replaceAll(state.files.create(offset, state.settings, nowMs));
            state.files.delete(List.of(), renamed, state.settings);
            old.forEach(Segment::close);
            state.epochs.clear();
            flush.flushEpochs();
            state.producers.truncateFullyAndStartAt(offset);
        } catch (IOException e) {
            state.fail(e);
            throw e;
        }
    }

    /** See {@link PartitionLog#raiseLogStartOffset}. */
    boolean raiseStart(long offset) {
        if (offset > state.logEndOffset) {
            throw new IllegalStateException("log start " + offset + " of " + state.topicPartition
                    + " would be past the log end " + state.logEndOffset);
        }
        if (offset <= state.logStartOffset) {
            return false;
        }
        state.logStartOffset = offset;
        if (state.epochs.truncateFromStart(offset)) {
            flush.flushEpochsSoon();
        }
        state.producers.onLogStartOffset(offset);
        return true;
    }

    /** See {@link PartitionLog#retain}. */
    int retain(long nowMs, long highWatermark) throws IOException {
        LogSettings.Retention limits = state.settings.retention();
        int dropped = drop(policy(highWatermark).beforeStart(state.logStartOffset), "before the log start", nowMs);
        if (limits.delete()) {
            dropped += drop(policy(highWatermark).aboveSize(limits.bytes()), "above retention.bytes", nowMs);
            dropped += drop(policy(highWatermark).olderThan(limits.ms(), nowMs), "older than retention.ms", nowMs);
        }
        return dropped;
    }

    private RetentionPolicy policy(long highWatermark) {
        return new RetentionPolicy(state.segments, state.logEndOffset, highWatermark);
    }

    private int drop(List<Segment> head, String why, long nowMs) throws IOException {
        if (head.isEmpty()) {
            return 0;
        }
        if (head.size() == state.segments.size()) {
            // Those that are full go first: on a full disk they make room for the new one.
            int last = head.size() - 1;
            int dropped = drop(head.subList(0, last), why, nowMs);
            writer.roll(state.logEndOffset, nowMs);
            return dropped + drop(head.subList(last, last + 1), why, nowMs);
        }
        Segment survivor = state.segments.all().get(head.size());
        log.info(
                "{}: dropping {} segments up to offset {}: {}",
                state.topicPartition,
                head.size(),
                survivor.baseOffset(),
                why);
        raiseStart(survivor.baseOffset());
        state.segments.removeAll(head);
        deleteWithSnapshots(head);
        return head.size();
    }

    private void deleteWithSnapshots(List<Segment> segments) throws IOException {
        List<Path> snapshots = new ArrayList<>();
        for (Segment segment : segments) {
            Path snapshot = state.producers.detachSnapshot(segment.baseOffset());
            if (snapshot != null) {
                snapshots.add(snapshot);
            }
        }
        state.files.delete(segments, snapshots, state.settings);
    }
}
