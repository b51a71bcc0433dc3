package io.highwater.broker.fencing;

import org.jspecify.annotations.Nullable;

/** What is known of one registration of a broker. Fields only: {@link Suspicions} decides. */
final class WatchedBroker {
    static final long NONE = Long.MIN_VALUE;

    final int id;
    final long epoch;

    /** Unfenced, as the newest image has it. */
    boolean unfenced;

    /**
     * Its listener has taken a connection from this node before. Without that a refusal means nothing: something between the two may refuse
     * whatever the broker does.
     */
    boolean reachable;

    long nextAcquaintanceMs;

    /** The connection of its last heartbeat; null once that has ended. */
    @Nullable
    String connectionId;

    /** The last heartbeat, or when the controller began to count. */
    long heardMs;

    /** When {@link #connectionId} ended and nobody has looked yet. */
    long endedMs = NONE;

    /** When this controller took over and nobody has looked yet. */
    long tookOverMs = NONE;

    /** Before, silence is no news. */
    long silenceSeenMs;

    /** When fencing it was asked for. A heartbeat after that shows a mistake. */
    long fencedMs = NONE;

    int mistakes;

    /** The dial under way, {@link #NONE} if none. */
    long dialNumber = NONE;

    /** Null while it is above suspicion. */
    @Nullable
    Suspicion suspicion;

    WatchedBroker(int id, long epoch, long nowMs) {
        this.id = id;
        this.epoch = epoch;
        this.heardMs = nowMs;
        this.silenceSeenMs = nowMs;
        this.nextAcquaintanceMs = nowMs;
    }

    /** One look at it. */
    static final class Suspicion {
        final SuspicionCause cause;
        final long sinceMs;
        int dials;
        int refusals;
        long nextDialMs;

        Suspicion(SuspicionCause cause, long sinceMs, long nowMs) {
            this.cause = cause;
            this.sinceMs = sinceMs;
            this.nextDialMs = nowMs;
        }
    }
}
