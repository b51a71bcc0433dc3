package io.highwater.controlplane;

/**
 * How long a broker waits for a session of its own node id to end. A process that is dead loses its session one timeout after the
 * controller took office or heard from it last; who outlives {@link #SESSIONS} of them under one controller is alive. A new controller
 * begins every session anew, so the wait begins anew with it; and time in which no controller answers says nothing about the twin. Not
 * thread-safe.
 */
final class TwinPatience {
    /** Sessions to wait for, under one controller. */
    static final int SESSIONS = 2;

    private final long patienceNanos;
    private boolean waiting;
    private int controllerEpoch;
    private long sinceNanos;

    /** @param sessionTimeoutNanos {@code broker.session.timeout.ms} */
    TwinPatience(long sessionTimeoutNanos) {
        this.patienceNanos = SESSIONS * sessionTimeoutNanos;
    }

    /** A controller says that the session lasts. Returns whether that has gone on for too long under this one. */
    boolean isOver(int controllerEpoch, long nowNanos) {
        if (!waiting || controllerEpoch != this.controllerEpoch) {
            waiting = true;
            this.controllerEpoch = controllerEpoch;
            sinceNanos = nowNanos;
        }
        return nowNanos - sinceNanos > patienceNanos;
    }
}
