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

    /** Waits until all below {@code offset} is on the disk. */
    void upTo(long offset) throws IOException {
        int truncations = state.truncations();
        long from = state.recoveryPoint();
        if (offset <= from || state.closed) {
            return;
        }
        boolean newFiles = false;
        for (Segment segment : state.segments.from(from)) {
            if (segment.baseOffset() >= offset) {
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
