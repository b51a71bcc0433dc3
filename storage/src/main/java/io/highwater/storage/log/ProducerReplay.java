package io.highwater.storage.log;

import io.highwater.storage.producer.ProducerStates;
import io.highwater.storage.segment.LogSlice;
import io.highwater.storage.segment.Segment;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the producers' state fit the log again, from the newest snapshot and the batches behind it. */
final class ProducerReplay {
    private static final Logger log = LoggerFactory.getLogger(ProducerReplay.class);

    private ProducerReplay() {}

    /** At start: {@link #fit}, except that after a clean stop without any snapshot there was nothing to remember. */
    static void load(
            ProducerStates producers, SegmentList segments, long logStart, long logEnd, boolean clean, long nowMs)
            throws IOException {
        if (clean && producers.newestSnapshotOffset() == null) {
            for (Segment segment : lastTwo(segments)) {
                producers.advanceEndOffset(segment.baseOffset());
                leaveSnapshot(producers, false);
            }
            producers.advanceEndOffset(logEnd);
            leaveSnapshot(producers, true);
            return;
        }
        fit(producers, segments, logStart, logEnd, nowMs);
    }

    /** Loads and replays up to {@code logEnd}, and leaves snapshots where the next start will look for them. */
    static void fit(ProducerStates producers, SegmentList segments, long logStart, long logEnd, long nowMs)
            throws IOException {
        producers.reload(logStart, logEnd, nowMs);
        if (producers.endOffset() < logEnd) {
            List<Segment> lastTwo = lastTwo(segments);
            for (Segment segment : segments.from(producers.endOffset())) {
                if (segment.baseOffset() >= logEnd) {
                    break;
                }
                long start = Math.max(segment.baseOffset(), Math.max(producers.endOffset(), logStart));
                producers.advanceEndOffset(start);
                if (lastTwo.contains(segment)) {
                    leaveSnapshot(producers, false);
                }
                replay(producers, segment, start, logEnd);
            }
        }
        producers.advanceEndOffset(logEnd);
        leaveSnapshot(producers, true);
    }

    /** It only saves a later start some reading: a full disk is no reason to do without the log. */
    static void leaveSnapshot(ProducerStates producers, boolean fsync) {
        try {
            producers.takeSnapshot(fsync);
        } catch (IOException e) {
            log.warn("Cannot write a snapshot of the producers, goes on without: {}", e.toString());
        }
    }

    private static void replay(ProducerStates producers, Segment segment, long start, long end) throws IOException {
        if (!segment.tryLease()) {
            throw new IllegalStateException(segment + " is closed");
        }
        LogSlice slice = segment.read(start, Integer.MAX_VALUE, end, true);
        if (slice == null || slice.isEmpty()) {
            segment.release();
            return;
        }
        try {
            for (RecordBatch batch : MemoryRecords.readableRecords(slice.view()).batches()) {
                producers.replay(batch);
            }
        } catch (CorruptRecordException | InvalidRecordException e) {
            throw new IOException("the producers of " + segment.path() + " cannot be read", e);
        } finally {
            slice.release();
        }
    }

    private static List<Segment> lastTwo(SegmentList segments) {
        List<Segment> all = segments.all();
        return all.subList(Math.max(0, all.size() - 2), all.size());
    }
}
