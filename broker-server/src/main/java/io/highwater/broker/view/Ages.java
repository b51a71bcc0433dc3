package io.highwater.broker.view;

/** How much older something has to be to be worth telling: by the mere passing of time everything would be news all the time. */
final class Ages {
    /** A lag grows by seconds. */
    static final long LAG_MS = 1_000;

    /** A follower is silent when it has not asked for so long; it asks about twice a second when there is nothing new. */
    static final long SILENT_MS = 5_000;

    /** Age alone never makes a difference. */
    static final long NO_NEWS = Long.MAX_VALUE;

    private Ages() {}

    /** Changes when it has grown by that much; -1, for an age that is not known, stays what it is. */
    static long step(long ageMs, long stepMs) {
        return ageMs < 0 ? -1 : ageMs / stepMs;
    }
}
