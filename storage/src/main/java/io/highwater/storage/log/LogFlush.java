package io.highwater.storage.log;

import io.highwater.storage.dir.DurableFiles;
import io.highwater.storage.segment.Segment;
import java.io.IOException;

/** Brings a log to the disk and moves its recovery point. For disk workers; needs no lock. */
final class LogFlush {
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
                } finally {
                    segment.release();
                }
            }
        }
        if (newFiles) {
            DurableFiles.syncDirectory(state.files.directory());
        }
        state.epochs.flush();
        state.flushed(offset, truncations, System.currentTimeMillis());
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
