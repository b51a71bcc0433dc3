package io.highwater.broker.partition;

import org.jspecify.annotations.Nullable;

/** Wakes what has waited long enough. Any thread. */
public interface Deadlines {
    /** One thing that waits; made by its owner so that setting a deadline allocates nothing more. */
    abstract class Deadline {
        /** Guarded by the wheel. */
        @Nullable
        Deadline previous;

        /** Guarded by the wheel. */
        @Nullable
        Deadline next;

        /** Guarded by the wheel: the tick it is due at, or -1 while it is not set. */
        long dueTick = -1;

        /** Its time has come; it is not set any more. Called without locks, must not block. */
        protected abstract void onPassed();
    }

    /** Calls {@link Deadline#onPassed} not before {@code delayMs} have passed. It must not be set already. */
    void set(Deadline deadline, long delayMs);

    /** Makes sure it is not set; a call under way may still arrive. */
    void cancel(Deadline deadline);
}
