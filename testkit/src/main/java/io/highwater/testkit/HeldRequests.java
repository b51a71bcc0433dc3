package io.highwater.testkit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait in front of their handler until the test lets them go, one by one: a cluster in step mode. {@link #close} lets all go, and
 * so does closing the cluster. Any thread.
 *
 * <pre>{@code
 * try (HeldRequests fetches = cluster.broker(1).requests(ApiKeys.FETCH).fromBroker(2).hold()) {
 *     fetches.await(1);               // broker 2 asks for what it does not have yet
 *     producer.send(record);          // the leader appends; nothing is committed
 *     fetches.release();              // broker 2 gets the record, and asks again ...
 *     fetches.release();              // ... which tells the leader that it has it
 * }
 * }</pre>
 */
public final class HeldRequests implements Fault {
    private final RequestFaults faults;
    private final RequestFault fault;
    private final Deque<WaitingRequest> held = new ArrayDeque<>();

    HeldRequests(Requests which, RequestFaults faults) {
        this.faults = faults;
        this.fault = new RequestFault(which, "held") {
            @Override
            void strike(WaitingRequest request) {
                hold(request);
            }

            @Override
            public void close() {
                super.close();
                releaseAll();
            }
        };
    }

    RequestFault fault() {
        return fault;
    }

    /** How many are held now. */
    public synchronized int count() {
        return held.size();
    }

    /** The messages that are held now, the oldest first; to be looked at, not changed. */
    public synchronized List<ApiMessage> bodies() {
        return held.stream().map(WaitingRequest::body).toList();
    }

    /**
     * Returns when at least {@code count} are held.
     *
     * @throws AssertionError if that takes longer than half a minute
     */
    public void await(int count) {
        Await.until(
                () -> count() >= count,
                Await.PATIENCE,
                () -> count() + " instead of " + count + " held: " + this + "; " + faults.history());
    }

    /**
     * Lets the oldest go to its handler; waits for it, if none is held.
     *
     * @throws AssertionError if none comes within half a minute
     */
    public void release() {
        await(1);
        oldest().pass();
    }

    /** As {@link #release}, for the next {@code count}; each is waited for. */
    public void release(int count) {
        for (int i = 0; i < count; i++) {
            release();
        }
    }

    /** Loses the oldest together with its connection, as {@link #release} would let it go. */
    public void disconnect() {
        await(1);
        oldest().disconnect();
    }

    /** Lets all go that are held now; those that come later are held. */
    public void releaseAll() {
        for (WaitingRequest one = poll(); one != null; one = poll()) {
            one.pass();
        }
    }

    private synchronized @Nullable WaitingRequest poll() {
        return held.poll();
    }

    private WaitingRequest oldest() {
        WaitingRequest oldest = poll();
        if (oldest == null) {
            throw new IllegalStateException("somebody else has let the last one go");
        }
        return oldest;
    }

    @Override
    public int hits() {
        return fault.hits();
    }

    /** Holds no more, and lets all go. */
    @Override
    public void close() {
        fault.close();
    }

    private void hold(WaitingRequest request) {
        synchronized (this) {
            if (!fault.hasEnded()) {
                held.add(request);
                return;
            }
        }
        request.pass();
    }

    @Override
    public String toString() {
        return fault.toString();
    }
}
