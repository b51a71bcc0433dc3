package io.highwater.storage.log;

import io.highwater.storage.epoch.LeaderEpochHistory;
import io.highwater.storage.producer.ProducerStates;
import java.io.IOException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the parts of a {@link PartitionLog} share. Fields are written by the owner alone and read by anybody, except for the
 * recovery point, which flushes move from disk workers.
 */
final class LogState {
    private static final Logger log = LoggerFactory.getLogger(LogState.class);

    final TopicPartition topicPartition;
    final LogFiles files;
    final SegmentList segments;
    final LeaderEpochHistory epochs;
    final ProducerStates producers;

    volatile LogSettings settings;

    /** First offset kept. */
    volatile long logStartOffset;

    /** Next offset to be written; published after the bytes are. */
    volatile long logEndOffset;

    /** No more of anything. */
    volatile boolean closed;

    /** The disk failed in the middle of a change, so that memory and disk may disagree; only a recovery helps. */
    volatile @Nullable IOException broken;

    /** Once a flush has failed, none is believed any more. */
    private volatile @Nullable IOException flushFailure;

    /** All below is known to be on the disk. Guarded by this, for writing. */
    private volatile long recoveryPoint;

    private volatile long lastFlushMs;

    /** Rises with each truncation: a flush that began before one says nothing about what was written after. */
    private volatile int truncations;

    LogState(
            LogOpening opening, LogFiles files, LeaderEpochHistory epochs, ProducerStates producers, LoadedLog loaded) {
        this.topicPartition = opening.topicPartition();
        this.settings = opening.settings();
        this.files = files;
        this.epochs = epochs;
        this.producers = producers;
        this.segments = loaded.segments();
        this.logStartOffset = loaded.logStartOffset();
        this.logEndOffset = loaded.logEndOffset();
        this.recoveryPoint = loaded.recoveryPoint();
    }

    long recoveryPoint() {
        return recoveryPoint;
    }

    long lastFlushMs() {
        return lastFlushMs;
    }

    int truncations() {
        return truncations;
    }

    /** All below {@code offset} is on the disk, unless the log was truncated since. */
    synchronized void flushed(long offset, int truncationsBefore, long nowMs) {
        if (truncations == truncationsBefore) {
            lastFlushMs = nowMs;
            recoveryPoint = Math.max(recoveryPoint, offset);
        }
    }

    /** What lies behind the recovery point may never reach the disk, whatever later flushes say. */
    void flushFailed(IOException cause) {
        flushFailure = cause;
    }

    @Nullable
    IOException flushFailure() {
        return flushFailure;
    }

    /** The log ends at {@code offset} now. */
    synchronized void truncated(long offset) {
        int version = truncations + 1;
        truncations = version;
        logEndOffset = offset;
        recoveryPoint = Math.min(recoveryPoint, offset);
        logStartOffset = Math.min(logStartOffset, offset);
    }

    /** Recovery must look at what lies from {@code offset} on, though it is on the disk. */
    synchronized void recoverFrom(long offset) {
        recoveryPoint = Math.min(recoveryPoint, offset);
    }

    /** The log is empty and begins at {@code offset}. */
    synchronized void startedAt(long offset) {
        int version = truncations + 1;
        truncations = version;
        logStartOffset = offset;
        logEndOffset = offset;
        recoveryPoint = offset;
    }

    /** From here on the log refuses everything. */
    void fail(IOException cause) {
        log.error(
                "{}: the disk failed in the middle of a change; the log is closed to everybody", topicPartition, cause);
        broken = cause;
    }

    /** Why nothing can be done with the log any more, or null if something can. */
    @Nullable
    String whyUnusable() {
        if (broken != null) {
            return "the log of " + topicPartition + " broke: " + broken.getMessage();
        }
        return closed ? "the log of " + topicPartition + " is closed" : null;
    }
}
