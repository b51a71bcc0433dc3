package io.highwater.broker.boot;

import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** All event loops of a broker. Any thread. */
final class EventLoops {
    private final List<EventExecutor> loops = new ArrayList<>();

    EventLoops(Vertx vertx) {
        ((VertxInternal) vertx).nettyEventLoopGroup().forEach(loops::add);
    }

    /** All of them. */
    List<Executor> all() {
        return List.copyOf(loops);
    }

    /** Their threads. Waits for those that have not started; not for event loops. */
    List<Thread> threads() {
        return loops.stream()
                .map(loop ->
                        loop.submit(Thread::currentThread).syncUninterruptibly().getNow())
                .toList();
    }

    /** The loop that this thread is; any, if it is none. */
    Executor here() {
        for (EventExecutor loop : loops) {
            if (loop.inEventLoop()) {
                return loop;
            }
        }
        return loops.get(0);
    }
}
