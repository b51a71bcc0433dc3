package io.highwater.storage.log;

import io.highwater.storage.epoch.LeaderEpoch;
import io.highwater.storage.epoch.LeaderEpochHistory;
import io.highwater.storage.segment.Segment;
import java.io.IOException;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes epochs out of a history that no batch knows. A follower that claims to have records of an epoch that never was is told
 * OFFSET_OUT_OF_RANGE by every leader, whatever it does.
 */
final class EpochCorrection {
    private static final Logger log = LoggerFactory.getLogger(EpochCorrection.class);

    private EpochCorrection() {}

    /**
     * Compares with the last batch, and if that is of an older epoch, reads from the batches which epochs came after those that may be
     * true. Only the active segment is asked: of others, compaction may have removed the last batch.
     *
     * @param epochs that begin inside the log
     */
    static void correct(
            TopicPartition partition, LeaderEpochHistory epochs, SegmentList segments, long logStart, long logEnd)
            throws IOException {
        int newest = segments.active().newestLeaderEpoch();
        int claimed = epochs.latestEpoch();
        if (newest < 0 || claimed <= newest) {
            return;
        }
        log.warn(
                "{}: no batch is of the leader epoch {}, as the file of epochs says: the last one is of {}; they are read from the batches",
                partition,
                claimed,
                newest);
        LeaderEpoch trusted = newestUpTo(newest, epochs);
        long start = trusted == null ? logStart : trusted.startOffset();
        NavigableMap<Integer, Long> found = new TreeMap<>();
        for (Segment segment : segments.from(start)) {
            SegmentWalk.batches(segment, Math.max(start, segment.baseOffset()), logEnd, batch -> {
                int epoch = batch.partitionLeaderEpoch();
                if (found.isEmpty() || epoch > found.lastKey()) {
                    found.put(epoch, Math.max(batch.baseOffset(), start));
                }
            });
        }
        epochs.forgetAbove(newest);
        found.tailMap(Math.max(epochs.latestEpoch() + 1, 0)).forEach(epochs::assign);
    }

    private static @Nullable LeaderEpoch newestUpTo(int epoch, LeaderEpochHistory epochs) {
        LeaderEpoch newest = null;
        for (LeaderEpoch known : epochs.entries()) {
            newest = known.epoch() <= epoch ? known : newest;
        }
        return newest;
    }
}
