package io.highwater.storage.log;

import io.highwater.storage.dir.DurableFiles;
import io.highwater.storage.segment.Segment;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings a log to the disk and moves its recovery point. For disk workers; needs no lock. */
final class LogFlush {
    private static final Logger log = LoggerFactory.getLogger(LogFlush.class);

    private final LogState state;

    LogFlush(LogState state) {
        this.state = state;
    }

    /** Waits until all below {@code wanted} is on the disk, or all there is if the log has become shorter since. */
    void upTo(long wanted) throws IOException {
        int truncations = state.truncations();
        long offset = Math.min(wanted, state.logEndOffset);
        long from = state.recoveryPoint();
        if (offset <= from || state.closed) {
            return;
        }
        checkDiskKeepsWord();
        boolean newFiles = false;
        for (Segment segment : state.segments.from(from)) {
            if (segment.baseOffset() >= offset) {
                break;
            }
            if (segment.hasZeros()) {
                offset = segment.baseOffset(); // a start that passed it by would take the zeros for batches
                break;
            }
            newFiles |= segment.baseOffset() >= from;
            if (segment.tryLease()) { // else it has been deleted meanwhile
                try {
                    segment.flush();
                } catch (IOException e) {
                    state.flushFailed(e);
                    throw e;
                } finally {
                    segment.release();
                }
            }
        }
        if (newFiles) {
            DurableFiles.syncDirectory(state.files.directory());
        }
        if (flushEpochs()) {
            state.flushed(offset, truncations, System.currentTimeMillis());
        }
    }

    /**
     * After a failed flush the system may take what it could not write for written, so that the next one succeeds. The recovery point
     * therefore stays where it is until a start has read all that lies behind it.
     */
    private void checkDiskKeepsWord() throws IOException {
        IOException failure = state.flushFailure();
        if (failure != null) {
            throw new IOException(
                    "an earlier flush of " + state.topicPartition + " failed; it has to be recovered at the next start",
                    failure);
        }
    }

    /**
     * Brings the file of leader epochs up to date. If the disk is full that fails, and no harm is done: the recovery point stays
     * where it is, so that a start would find the epochs in the batches; the next flush tries again.
     *
     * @return whether the file is up to date
     */
    boolean flushEpochs() {
        try {
            state.epochs.flush();
            return true;
        } catch (IOException e) {
            log.warn("{}: cannot write the leader epochs, will try again: {}", state.topicPartition, e.toString());
            return false;
        }
    }

    /** As {@link #flushEpochs}, on a disk worker. */
    void flushEpochsSoon() {
        state.files.errands().soon("write the leader epochs of " + state.topicPartition, this::flushEpochs);
    }

    /** Whether more records are unflushed than {@code flush.messages} allows. */
    boolean isOverdue() {
        return state.logEndOffset - state.recoveryPoint()
                >= state.settings.flush().messages();
    }

    /** Whether there is something unflushed for longer than {@code flush.ms}. */
    boolean isDue(long nowMs) {
        return state.logEndOffset > state.recoveryPoint()
                && nowMs - state.lastFlushMs() >= state.settings.flush().ms();
    }
}
