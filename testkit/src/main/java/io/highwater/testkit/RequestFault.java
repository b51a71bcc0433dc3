package io.highwater.testkit;

import java.util.concurrent.atomic.AtomicInteger;

/** One fault that waits for its requests. */
abstract class RequestFault implements Fault {
    private final Requests which;
    private final String what;
    private final AtomicInteger fitting = new AtomicInteger();
    private final AtomicInteger hits = new AtomicInteger();
    private volatile boolean ended;

    RequestFault(Requests which, String what) {
        this.which = which;
        this.what = what;
    }

    /** Does to the request what it is for. On its loop. */
    abstract void strike(WaitingRequest request);

    /** Whether it takes the request. */
    final boolean takes(WaitingRequest request) {
        if (ended || !which.fit(request) || !which.means(fitting.incrementAndGet())) {
            return false;
        }
        hits.incrementAndGet();
        return true;
    }

    final boolean hasEnded() {
        return ended;
    }

    final String what() {
        return what;
    }

    @Override
    public final int hits() {
        return hits.get();
    }

    @Override
    public void close() {
        ended = true;
    }

    @Override
    public final String toString() {
        return which + " " + what;
    }
}
