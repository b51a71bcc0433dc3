package io.highwater.broker.step;

import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.api.RequestInterceptor;
import io.highwater.broker.view.HeldFetch;
import io.highwater.broker.view.LocalStep;
import io.highwater.broker.view.StepCommand;
import io.highwater.broker.view.Stepping;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.FetchRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds fetches of chosen followers until they are released. A fetch whose connection ends is dropped. Holding ends by itself when nobody has said
 * anything for {@link #FORGOTTEN_MS}. Any thread.
 */
public final class StepMode implements RequestInterceptor, Stepping {
    /** More are let through. */
    static final int MOST_HELD = 100;

    /** Who has said nothing for so long has gone away. */
    static final long FORGOTTEN_MS = 600_000;

    private static final Logger LOG = LoggerFactory.getLogger(StepMode.class);

    private final int nodeId;
    private final Function<Uuid, @Nullable String> topicNames;
    private final LongSupplier monotonicMs;
    private final Set<Integer> holding = new TreeSet<>();
    private final Deque<Held> held = new ArrayDeque<>();
    private long lastCommandMs;

    /**
     * Holds nobody's.
     *
     * @param topicNames names of topics by their ids
     */
    public StepMode(int nodeId, Function<Uuid, @Nullable String> topicNames, LongSupplier monotonicMs) {
        this.nodeId = nodeId;
        this.topicNames = topicNames;
        this.monotonicMs = monotonicMs;
    }

    /** One fetch that waits. Whoever takes it out of the queue decides it. */
    private record Held(
            int follower,
            FetchRequestData body,
            long sinceMs,
            Executor loop,
            Supplier<Future<@Nullable ApiMessage>> onward,
            Promise<@Nullable ApiMessage> answer) {
        void release() {
            try {
                loop.execute(() -> onward.get().onComplete(answer));
            } catch (RejectedExecutionException e) {
                answer.tryFail(e);
            }
        }
    }

    @Override
    public Future<@Nullable ApiMessage> intercept(
            ApiRequest request, Executor loop, Supplier<Future<@Nullable ApiMessage>> onward) {
        if (!(request.body() instanceof FetchRequestData fetch)) {
            return onward.get();
        }
        Held one = hold(FetchRequest.replicaId(fetch), fetch, loop, onward);
        if (one == null) {
            return onward.get();
        }
        request.client().closed().onComplete(closed -> drop(one));
        return one.answer.future();
    }

    private synchronized @Nullable Held hold(
            int follower, FetchRequestData fetch, Executor loop, Supplier<Future<@Nullable ApiMessage>> onward) {
        if (!holding.contains(follower) || held.size() >= MOST_HELD) {
            return null;
        }
        long nowMs = monotonicMs.getAsLong();
        if (nowMs - lastCommandMs > FORGOTTEN_MS) {
            LOG.info("step mode ends: nobody has said anything for {} ms", FORGOTTEN_MS);
            end();
            return null;
        }
        Held one = new Held(follower, fetch, nowMs, loop, onward, Promise.promise());
        held.addLast(one);
        return one;
    }

    private void drop(Held one) {
        boolean waited;
        synchronized (this) {
            waited = held.remove(one);
        }
        if (waited) {
            one.answer.complete(null); // nobody is there to be answered
        }
    }

    @Override
    public synchronized LocalStep on(StepCommand command) {
        int follower = command.follower();
        switch (command.verb()) {
            case "hold" -> {
                lastCommandMs = monotonicMs.getAsLong();
                if (follower != nodeId && holding.add(follower)) {
                    LOG.info("step mode: fetches of broker {} are held", follower);
                }
            }
            case "release" -> {
                lastCommandMs = monotonicMs.getAsLong();
                release(follower);
            }
            case "end" -> end();
            default -> {}
        }
        return state();
    }

    private void release(int follower) {
        for (Iterator<Held> each = held.iterator(); each.hasNext(); ) {
            Held one = each.next();
            if (one.follower == follower) {
                each.remove();
                one.release();
                return;
            }
        }
    }

    private void end() {
        if (!holding.isEmpty()) {
            LOG.info("step mode: nothing is held any more");
        }
        holding.clear();
        for (Held one = held.poll(); one != null; one = held.poll()) {
            one.release();
        }
    }

    private LocalStep state() {
        long nowMs = monotonicMs.getAsLong();
        List<HeldFetch> waiting = new ArrayList<>();
        for (Held one : held) {
            waiting.add(new HeldFetch(nodeId, one.follower, nowMs - one.sinceMs, partitions(one.body)));
        }
        return new LocalStep(true, List.copyOf(holding), waiting);
    }

    private List<HeldFetch.From> partitions(FetchRequestData body) {
        List<HeldFetch.From> partitions = new ArrayList<>();
        for (FetchRequestData.FetchTopic topic : body.topics()) {
            String name = topic.topic() == null || topic.topic().isEmpty()
                    ? topicNames.apply(topic.topicId())
                    : topic.topic();
            for (FetchRequestData.FetchPartition partition : topic.partitions()) {
                if (name != null) {
                    partitions.add(new HeldFetch.From(name, partition.partition(), partition.fetchOffset()));
                }
            }
        }
        return partitions;
    }
}
