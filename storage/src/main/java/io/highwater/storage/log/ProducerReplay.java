package io.highwater.storage.log;

import io.highwater.storage.producer.ProducerRecall;
import io.highwater.storage.producer.ProducerStates;
import io.highwater.storage.segment.Segment;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the producers' state fit the log again, from the newest snapshot and the batches behind it. */
final class ProducerReplay {
    private static final Logger log = LoggerFactory.getLogger(ProducerReplay.class);

    /** So much of a log's end is searched for batches that the snapshots do not tell of. */
    static final int RECALLED_BYTES = 4 << 20;

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

    /**
     * Fills the producers' windows again. A snapshot tells only of a producer's last batch, but a client that lost its connection sends
     * all that it had in flight again: what is not known to be a duplicate is a gap to the leader, upon which the client starts a
     * new epoch and its records are there twice. Headers only, and only {@link #RECALLED_BYTES}.
     */
    static void recall(ProducerStates producers, SegmentList segments, long logStart, long logEnd) throws IOException {
        if (!producers.remembersTooLittle()) {
            return;
        }
        ProducerRecall recall = producers.recall();
        Deque<Segment> tail = new ArrayDeque<>();
        int bytes = 0;
        for (Segment segment = segments.active(); segment != null && bytes < RECALLED_BYTES; ) {
            tail.push(segment);
            bytes += segment.sizeBytes();
            segment = segment == segments.first() ? null : segments.floorOrFirst(segment.baseOffset() - 1);
        }
        int tooMuch = Math.max(0, bytes - RECALLED_BYTES);
        for (Segment segment : tail) {
            long start = tooMuch == 0 ? segment.baseOffset() : segment.indexedOffsetFrom(tooMuch);
            if (start >= 0) {
                SegmentWalk.batches(segment, Math.max(start, logStart), logEnd, recall::onBatch);
            }
            tooMuch = 0; // all but the first of them are wanted whole
        }
        recall.finish();
    }

    /** What becomes of a {@link #recall} that cannot read a segment: it is done without. */
    static void onRecallFailed(TopicPartition partition, DamagedSegmentException cause) {
        log.warn("{}: {}; batches that clients send again may not be recognized", partition, cause.getMessage());
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
                SegmentWalk.batches(segment, start, logEnd, producers::replay);
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

    private static List<Segment> lastTwo(SegmentList segments) {
        List<Segment> all = segments.all();
        return all.subList(Math.max(0, all.size() - 2), all.size());
    }
}
