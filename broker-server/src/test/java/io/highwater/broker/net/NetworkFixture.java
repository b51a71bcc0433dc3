package io.highwater.broker.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.api.BrokerVersions;
import io.highwater.broker.api.RequestRouter;
import io.highwater.broker.metrics.Dialects;
import io.highwater.broker.metrics.Metrics;
import io.highwater.wire.api.ListenerRole;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.jspecify.annotations.Nullable;

/**
 * A listener on a free port whose handlers do nothing but pass the request to the test. At the end nothing may be left: no
 * leaked buffer, no byte of the memory budget, no connection.
 */
final class NetworkFixture implements AutoCloseable {
    static final long LIMIT_BYTES = 1 << 20;

    /** Kafka's defaults. */
    static final SocketSettings SOCKETS = new SocketSettings(100 << 20, 100 << 10, 100 << 10, 50, 10 * 60 * 1000L);

    private static final String HOST = "127.0.0.1";
    private static final long TIMEOUT_S = 10;

    final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
    final Metrics metrics = new Metrics(Dialects.usual());
    final MemoryBudget memory = new MemoryBudget(LIMIT_BYTES);
    final ConnectionLimits connections = new ConnectionLimits(ConnectionLimits.Limits.none());
    final LogLines log = new LogLines(Connection.class.getName());
    final LinkedBlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    final Listener listener;
    final int port;

    private final LogLines leaks = new LogLines(ResourceLeakDetector.class.getName());
    private final List<WireClient> clients = new ArrayList<>();

    /** A request that was handed over and waits for the test to answer. */
    record Call(ApiRequest request, Promise<@Nullable ApiMessage> promise, Thread thread) {
        int correlationId() {
            return request.header().correlationId();
        }
    }

    NetworkFixture() {
        this(SOCKETS);
    }

    NetworkFixture(SocketSettings sockets) {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        listener = listener(sockets, 0);
        port = wait(listener.start());
    }

    Listener listener(SocketSettings sockets, int onPort) {
        RequestRouter router = RequestRouter.builder(ListenerRole.BROKER)
                .handle(ApiKeys.PRODUCE, ProduceRequestData.class, this::ask)
                .handle(ApiKeys.FETCH, FetchRequestData.class, this::ask)
                .handle(ApiKeys.METADATA, MetadataRequestData.class, this::ask)
                .handle(ApiKeys.HEARTBEAT, HeartbeatRequestData.class, this::ask)
                .build(() -> new BrokerVersions("cluster", 1, Map.of(), Map.of(), -1));
        ListenerSettings settings =
                new ListenerSettings(new ListenerName("PLAINTEXT"), SecurityProtocol.PLAINTEXT, HOST, onPort, false);
        return new Listener(
                vertx, settings, router, new NetworkContext(sockets, memory, connections, metrics.network()));
    }

    private Future<@Nullable ApiMessage> ask(ApiRequest request, ApiMessage body) {
        Promise<@Nullable ApiMessage> promise = Promise.promise();
        calls.add(new Call(request, promise, Thread.currentThread()));
        return promise.future();
    }

    /** The next request that a handler got. */
    Call nextCall() throws InterruptedException {
        Call call = calls.poll(TIMEOUT_S, TimeUnit.SECONDS);
        if (call == null) {
            throw new AssertionError("no request came");
        }
        return call;
    }

    /** The same where interruption cannot be declared. */
    Call awaitCall() {
        try {
            return nextCall();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    WireClient connect() throws IOException {
        WireClient client = new WireClient(port);
        clients.add(client);
        return client;
    }

    static <T> T wait(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(TIMEOUT_S, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (WireClient client : clients) {
            client.close();
        }
        calls.forEach(call -> call.promise.tryComplete(null));
        await("memory given back").until(() -> memory.usedBytes() == 0);
        await("connections gone").until(() -> connections.open() == 0);
        wait(listener.close());
        wait(vertx.close());
        provokeLeakReports();
        assertThat(leaks.lines()).isEmpty();
        leaks.close();
        log.close();
    }

    /** The detector reports what the garbage collector found when the next buffer is made. */
    private static void provokeLeakReports() {
        for (int i = 0; i < 3; i++) {
            System.gc();
            System.runFinalization();
            PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
        }
    }
}
