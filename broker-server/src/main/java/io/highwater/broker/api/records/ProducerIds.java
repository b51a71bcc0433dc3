package io.highwater.broker.api.records;

import io.highwater.controlplane.ProducerIdBlock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives each asker a producer id of its own, out of blocks that the controller hands out. The next block is fetched while a
 * tenth of the present one is left, so that hardly anybody waits. Any thread.
 */
public final class ProducerIds {
    /** More than this do not wait for a block: the controller is gone for longer, and the askers come again. */
    static final int MAX_WAITING = 10_000;

    private final Supplier<CompletionStage<ProducerIdBlock>> controller;
    private final Deque<Promise<Long>> waiting = new ArrayDeque<>();
    private long nextId;
    private long endId;
    private long fetchAtId;
    private @Nullable ProducerIdBlock following;
    private boolean fetching;

    /** @param controller asked for a block, by one call at a time */
    public ProducerIds(Supplier<CompletionStage<ProducerIdBlock>> controller) {
        this.controller = controller;
    }

    /** An id that nobody else has. Fails if no block can be had. */
    public Future<Long> next() {
        Future<Long> id;
        boolean fetch;
        synchronized (this) {
            takeFollowing();
            if (nextId < endId) {
                id = Future.succeededFuture(nextId++);
            } else if (waiting.size() >= MAX_WAITING) {
                return Future.failedFuture("more than " + MAX_WAITING + " wait for a producer id");
            } else {
                Promise<Long> promise = Promise.promise();
                waiting.add(promise);
                id = promise.future();
            }
            fetch = !fetching && following == null && nextId >= fetchAtId;
            fetching |= fetch;
        }
        if (fetch) {
            fetch();
        }
        return id;
    }

    private void fetch() {
        var unused = controller.get().whenComplete((block, failed) -> {
            if (block == null) {
                onFailed(failed);
            } else {
                onBlock(block);
            }
        });
    }

    private void onBlock(ProducerIdBlock block) {
        List<Promise<Long>> served = new ArrayList<>();
        long firstId;
        boolean fetch;
        synchronized (this) {
            following = block;
            takeFollowing();
            firstId = nextId;
            while (nextId < endId && !waiting.isEmpty()) {
                served.add(waiting.remove());
                nextId++;
            }
            fetch = following == null && nextId >= fetchAtId;
            fetching = fetch;
        }
        for (int i = 0; i < served.size(); i++) {
            served.get(i).complete(firstId + i);
        }
        if (fetch) {
            fetch();
        }
    }

    private void onFailed(Throwable cause) {
        List<Promise<Long>> failed;
        synchronized (this) {
            fetching = false;
            failed = new ArrayList<>(waiting);
            waiting.clear();
        }
        failed.forEach(promise -> promise.fail(cause));
    }

    private void takeFollowing() {
        if (nextId == endId && following != null) {
            nextId = following.firstId();
            endId = nextId + following.size();
            fetchAtId = endId - following.size() / 10;
            following = null;
        }
    }
}
