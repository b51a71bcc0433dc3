package io.highwater.broker.partition;

import org.jspecify.annotations.Nullable;

/**
 * The fetches that wait for one partition to have more. Has a lock of its own, since a fetch waits for several partitions;
 * nothing is called while it is held. When nobody waits, {@link #onProgress} is one volatile read.
 */
final class DelayedFetches {
    private static final DelayedFetch.Watched[] NONE = {};

    private volatile int size;
    private DelayedFetch.@Nullable Watched first;

    void add(DelayedFetch.Watched watched) {
        synchronized (this) {
            watched.next = first;
            if (first != null) {
                first.previous = watched;
            }
            first = watched;
            watched.linked = true;
            size++;
        }
    }

    void remove(DelayedFetch.Watched watched) {
        synchronized (this) {
            if (!watched.linked) {
                return;
            }
            watched.linked = false;
            if (watched.previous == null) {
                first = watched.next;
            } else {
                watched.previous.next = watched.next;
            }
            if (watched.next != null) {
                watched.next.previous = watched.previous;
            }
            watched.next = null;
            watched.previous = null;
            size--;
        }
    }

    /** The partition has more to read: whoever has enough now is told. Without the partition's lock. */
    void onProgress() {
        if (size > 0) {
            for (DelayedFetch.Watched watched : all()) {
                watched.check();
            }
        }
    }

    /** The partition's role or state has changed: everybody is to look for himself. Without the partition's lock. */
    void wakeAll() {
        for (DelayedFetch.Watched watched : all()) {
            watched.wake();
        }
    }

    int size() {
        return size;
    }

    private DelayedFetch.Watched[] all() {
        synchronized (this) {
            if (size == 0) {
                return NONE;
            }
            DelayedFetch.Watched[] all = new DelayedFetch.Watched[size];
            int at = 0;
            for (DelayedFetch.Watched watched = first; watched != null; watched = watched.next) {
                all[at++] = watched;
            }
            return all;
        }
    }
}
