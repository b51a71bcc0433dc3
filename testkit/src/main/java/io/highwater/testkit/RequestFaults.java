package io.highwater.testkit;

import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.api.RequestInterceptor;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/**
 * All faults of one broker's requests. A request that no fault takes goes straight on, unless one of its connection is waiting before it: the
 * broker takes those of one connection in order. Lines belong to the loops of their connections; everything else is for any thread.
 */
final class RequestFaults implements RequestInterceptor {
    private final int brokerId;
    private final Function<ApiRequest, OptionalInt> source;
    private final RequestTopics topics;
    private final ScheduledExecutorService clock;
    private final Events events;
    private final List<RequestFault> faults = new CopyOnWriteArrayList<>();
    private final Map<String, Deque<WaitingRequest>> lines = new ConcurrentHashMap<>();
    private final Set<WaitingRequest> waiting = ConcurrentHashMap.newKeySet();

    /** Those among them that a fault has taken; the others wait behind these. */
    private final Set<WaitingRequest> struck = ConcurrentHashMap.newKeySet();

    /**
     * None yet.
     *
     * @param source which broker a request comes from, empty for a client's
     * @param clock for delays
     * @param events hears of each request that is hit, as one of that broker
     */
    RequestFaults(
            int brokerId,
            Function<ApiRequest, OptionalInt> source,
            RequestTopics topics,
            ScheduledExecutorService clock,
            Events events) {
        this.brokerId = brokerId;
        this.source = source;
        this.topics = topics;
        this.clock = clock;
        this.events = events;
    }

    @Override
    public Future<@Nullable ApiMessage> intercept(
            ApiRequest request, Executor loop, Supplier<Future<@Nullable ApiMessage>> onward) {
        Set<String> named = topics.of(request);
        String connection = request.client().connectionId();
        Deque<WaitingRequest> line = lines.get(connection);
        if (line == null && faults.isEmpty()) {
            return onward.get();
        }
        WaitingRequest one = new WaitingRequest(request, source.apply(request), named, loop, onward);
        if (line != null) {
            join(line, connection, one);
            return one.answer();
        }
        RequestFault fault = taker(one);
        if (fault == null) {
            return onward.get();
        }
        Deque<WaitingRequest> begun = new ArrayDeque<>();
        lines.put(connection, begun);
        join(begun, connection, one);
        strike(fault, one);
        return one.answer();
    }

    /** What has happened of late. */
    String history() {
        return events.toString();
    }

    <T extends RequestFault> T add(T fault) {
        faults.removeIf(RequestFault::hasEnded);
        faults.add(fault);
        return fault;
    }

    void after(Duration delay, Runnable task) {
        var unused = clock.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** No fault is left, and what waits goes on. */
    void endAll() {
        faults.forEach(RequestFault::close);
        faults.clear();
        struck.forEach(WaitingRequest::pass);
    }

    /** The broker ends: faults stay, for when it is back; what waits is lost. */
    void onBrokerEnded() {
        waiting.forEach(WaitingRequest::drop);
        waiting.clear();
        struck.clear();
        lines.clear();
        topics.clear();
    }

    private void join(Deque<WaitingRequest> line, String connection, WaitingRequest one) {
        one.onDecided(() -> onDecided(line, connection, one));
        line.add(one);
        waiting.add(one);
    }

    private void onDecided(Deque<WaitingRequest> line, String connection, WaitingRequest done) {
        waiting.remove(done);
        struck.remove(done);
        line.poll();
        WaitingRequest next = line.peek();
        if (next == null) {
            lines.remove(connection, line);
            return;
        }
        RequestFault fault = taker(next);
        if (fault == null) {
            next.pass();
        } else {
            strike(fault, next);
        }
    }

    private @Nullable RequestFault taker(WaitingRequest one) {
        for (RequestFault fault : faults) {
            if (fault.takes(one)) {
                return fault;
            }
        }
        return null;
    }

    private void strike(RequestFault fault, WaitingRequest one) {
        struck.add(one);
        events.note(brokerId, one + ": " + fault.what());
        fault.strike(one);
    }
}
