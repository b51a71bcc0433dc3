package io.highwater.replication.simulation;

import java.util.PriorityQueue;

/** Simulated time: what is due first happens first, and of equals what was planned first. */
final class Timeline {
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long planned;
    private long nowMs;

    private record Event(long atMs, long number, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return atMs == other.atMs ? Long.compare(number, other.number) : Long.compare(atMs, other.atMs);
        }
    }

    long nowMs() {
        return nowMs;
    }

    void after(long delayMs, Runnable action) {
        at(nowMs + delayMs, action);
    }

    void at(long atMs, Runnable action) {
        events.add(new Event(Math.max(nowMs, atMs), planned++, action));
    }

    /** Lets the next event happen, unless it lies beyond {@code limitMs}; then it is that time, and false. */
    boolean step(long limitMs) {
        Event next = events.peek();
        if (next == null || next.atMs > limitMs) {
            nowMs = Math.max(nowMs, limitMs);
            return false;
        }
        events.poll();
        nowMs = next.atMs;
        next.action.run();
        return true;
    }
}
