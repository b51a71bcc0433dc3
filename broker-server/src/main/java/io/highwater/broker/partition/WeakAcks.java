package io.highwater.broker.partition;

/** When clients last wrote to a partition without asking for the copies, to about a second. Any thread. Hot: {@link #onWrite}. */
public final class WeakAcks {
    /** Seen no more than that ago counts as seen now: a store for each write would be felt. */
    private static final long COARSE_MS = 1_000;

    private volatile long noneAtMs;
    private volatile long leaderAtMs;

    WeakAcks() {}

    /** @param acks 0 or 1 */
    void onWrite(short acks, long nowMs) {
        if (acks == 0) {
            if (nowMs - noneAtMs > COARSE_MS) {
                noneAtMs = nowMs;
            }
        } else if (nowMs - leaderAtMs > COARSE_MS) {
            leaderAtMs = nowMs;
        }
    }

    /** When the last write with acks=0 came, in milliseconds since 1970; 0 if none has since the start of this process. */
    public long noneAtMs() {
        return noneAtMs;
    }

    /** The same for acks=1. */
    public long leaderAtMs() {
        return leaderAtMs;
    }
}
