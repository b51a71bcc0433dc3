package io.highwater.broker.api.fetch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.apache.kafka.common.requests.FetchMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of all readers, at most {@code maxSessions}. When they are used up, a newcomer takes the place of one that has
 * not been used for two minutes; or, if it is a follower, of some consumer's; or of a smaller one that has lived for two
 * minutes. If none has to go the newcomer gets no session and says everything each time. Any thread.
 */
public final class FetchSessions {
    static final long MIN_LIFE_MS = 120_000;

    private final int maxSessions;
    private final LongSupplier clockMs;

    /** Least recently used first. */
    private final LinkedHashMap<Integer, Slot> slots = new LinkedHashMap<>(16, 0.75f, true);

    private long evictions;

    /**
     * No sessions yet.
     *
     * @param clockMs milliseconds from some moment on, never going back
     */
    public FetchSessions(int maxSessions, LongSupplier clockMs) {
        this.maxSessions = maxSessions;
        this.clockMs = clockMs;
    }

    private static final class Slot {
        final FetchSession session;
        final boolean privileged;
        final long createdMs;
        long usedMs;
        int size;

        Slot(FetchSession session, boolean privileged, long nowMs) {
            this.session = session;
            this.privileged = privileged;
            this.createdMs = nowMs;
            this.usedMs = nowMs;
            this.size = session.size();
        }

        /** Whether a newcomer may take its place at all; who has less to lose goes first. */
        boolean isEvictable(boolean newcomerPrivileged, long nowMs) {
            return nowMs - createdMs > MIN_LIFE_MS || (newcomerPrivileged && !privileged);
        }

        boolean isWorthMoreThan(boolean otherPrivileged, int otherSize) {
            return privileged == otherPrivileged ? size > otherSize : privileged;
        }
    }

    /** A session for what {@code wanted} says, or null if there is no place for one. */
    synchronized @Nullable FetchSession create(boolean privileged, boolean byTopicId, List<Wanted> wanted) {
        long nowMs = clockMs.getAsLong();
        if (slots.size() >= maxSessions && !evict(privileged, wanted.size(), nowMs)) {
            return null;
        }
        FetchSession session = new FetchSession(newId(), byTopicId, wanted);
        slots.put(session.id(), new Slot(session, privileged, nowMs));
        return session;
    }

    /** The session with that id, or null. */
    synchronized @Nullable FetchSession find(int id) {
        Slot slot = slots.get(id);
        return slot == null ? null : slot.session;
    }

    /** The session is in use: it is the last to go. */
    synchronized void touch(FetchSession session) {
        Slot slot = slots.get(session.id());
        if (slot != null) {
            slot.usedMs = clockMs.getAsLong();
            slot.size = session.size();
        }
    }

    /** Ends a session, if there is one of that id. */
    synchronized void close(int id) {
        slots.remove(id);
    }

    /** How many sessions there are. */
    public synchronized int size() {
        return slots.size();
    }

    /** How many partitions all sessions hold together. */
    public synchronized long partitions() {
        long sum = 0;
        for (Slot slot : slots.values()) {
            sum += slot.size;
        }
        return sum;
    }

    /** How many sessions had to make place for others so far. */
    public synchronized long evictions() {
        return evictions;
    }

    private boolean evict(boolean privileged, int size, long nowMs) {
        Slot victim = null;
        for (Map.Entry<Integer, Slot> entry : slots.entrySet()) {
            Slot slot = entry.getValue();
            if (nowMs - slot.usedMs > MIN_LIFE_MS) {
                // The first is the least recently used: if it is not stale, none is.
                victim = slot;
                break;
            }
            if (slot.isEvictable(privileged, nowMs)
                    && (victim == null || victim.isWorthMoreThan(slot.privileged, slot.size))) {
                victim = slot;
            }
        }
        if (victim == null) {
            return false;
        }
        boolean stale = nowMs - victim.usedMs > MIN_LIFE_MS;
        if (!stale && victim.isWorthMoreThan(privileged, size)) {
            return false;
        }
        slots.remove(victim.session.id());
        evictions++;
        return true;
    }

    private int newId() {
        int id;
        do {
            id = ThreadLocalRandom.current().nextInt(FetchMetadata.INVALID_SESSION_ID + 1, Integer.MAX_VALUE);
        } while (slots.containsKey(id));
        return id;
    }
}
