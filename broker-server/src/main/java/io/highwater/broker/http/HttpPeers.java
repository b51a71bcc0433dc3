package io.highwater.broker.http;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.view.LocalAnswer;
import io.highwater.broker.view.LocalQuestion;
import io.highwater.broker.view.Peers;
import io.highwater.controlplane.BrokerView;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks other brokers at their {@code /api/local}. One that does not answer within {@link #PATIENCE_MS} is not waited for again while it is being
 * asked all the time: it is tried in passing until it answers. Any thread; answers are read on the view's thread.
 */
public final class HttpPeers implements Peers {
    /** Longest wait for an answer. */
    static final int PATIENCE_MS = 500;

    /** The same where something is to be done: it has to be known whether it was. */
    static final int COMMAND_PATIENCE_MS = 5_000;

    /** So long after a failure an answer is not waited for. */
    private static final long SILENT_FOR_MS = 2_000;

    private static final int OK = 200;
    private static final int CONNECTIONS_PER_BROKER = 4;

    /** More questions to one broker fail at once. */
    private static final int MOST_WAITING = 64;

    private static final Logger LOG = LoggerFactory.getLogger(HttpPeers.class);

    private final Vertx vertx;
    private final HttpSecurity security;
    private final ViewThread thread;
    private final String clusterId;
    private final Map<Integer, Peer> peers = new ConcurrentHashMap<>();

    /** Null until the first question: a broker that nobody looks at needs none. */
    private @Nullable HttpClient client;

    private boolean closed;

    /** Connects to nobody yet. */
    public HttpPeers(Vertx vertx, HttpSecurity security, ViewThread thread, String clusterId) {
        this.vertx = vertx;
        this.security = security;
        this.thread = thread;
        this.clusterId = clusterId;
    }

    private static final class Peer {
        volatile long silentAtNanos;
        volatile boolean silent;
        final AtomicBoolean tried = new AtomicBoolean();
        volatile String complaint = "";

        boolean isSilent() {
            return silent && System.nanoTime() - silentAtNanos < TimeUnit.MILLISECONDS.toNanos(SILENT_FOR_MS);
        }

        void answered(boolean well) {
            silentAtNanos = System.nanoTime();
            silent = !well;
        }
    }

    @Override
    public CompletionStage<@Nullable LocalAnswer> ask(BrokerView broker, LocalQuestion question) {
        Endpoint endpoint = broker.endpoints().get(BrokerConfig.HTTP_LISTENER);
        if (endpoint == null) {
            return CompletableFuture.completedFuture(null);
        }
        Peer peer = peers.computeIfAbsent(broker.id(), id -> new Peer());
        if (question.isCommand()) {
            return send(broker.id(), endpoint, peer, question, COMMAND_PATIENCE_MS);
        }
        if (!peer.isSilent()) {
            return send(broker.id(), endpoint, peer, question, PATIENCE_MS);
        }
        if (peer.tried.compareAndSet(false, true)) {
            var unused = send(broker.id(), endpoint, peer, LocalQuestion.NOTHING, PATIENCE_MS)
                    .whenComplete((answer, failure) -> peer.tried.set(false));
        }
        return CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<@Nullable LocalAnswer> send(
            int id, Endpoint endpoint, Peer peer, LocalQuestion question, int patienceMs) {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost(endpoint.host())
                .setPort(endpoint.port())
                .setSsl(endpoint.securityProtocol() == SecurityProtocol.SSL)
                .setURI(ApiRoutes.LOCAL)
                // No limit on the wait for a connection of the pool: a timer that ends that wait just as a connection
                // comes
                // fails twice, with a stack trace in the log. Who comes too late for its answer is not sent instead.
                .setIdleTimeout(patienceMs)
                .putHeader("Content-Type", Answers.JSON);
        if (security.token() != null) {
            options.putHeader("Authorization", "Bearer " + security.token());
        }
        Buffer body = Buffer.buffer(Json.write(question));
        HttpClient asking = client();
        if (asking == null) {
            return CompletableFuture.completedFuture(null);
        }
        long askedAtNanos = System.nanoTime();
        return asking.request(options)
                .compose(request -> inTime(askedAtNanos, patienceMs) ? request.send(body) : tooLate(request))
                .compose(response -> response.statusCode() == OK
                        ? response.body()
                        : Future.<Buffer>failedFuture("it answers " + response.statusCode()))
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(patienceMs, TimeUnit.MILLISECONDS)
                .thenApplyAsync(answer -> checked(id, JsonRecords.read(answer.toString(), LocalAnswer.class)), thread)
                .handle((answer, failure) -> {
                    peer.answered(failure == null);
                    if (failure != null) {
                        complain(id, endpoint, peer, failure);
                    }
                    return answer;
                });
    }

    private static boolean inTime(long askedAtNanos, int patienceMs) {
        return System.nanoTime() - askedAtNanos < TimeUnit.MILLISECONDS.toNanos(patienceMs);
    }

    private static Future<HttpClientResponse> tooLate(HttpClientRequest request) {
        // Without a handler Vert.x takes what ends here for an error that nobody has seen.
        request.exceptionHandler(Answers::wentAway).reset();
        return Future.failedFuture("no connection was free in time");
    }

    /** An address may lead elsewhere: that of a loopback interface leads every machine to itself. */
    private LocalAnswer checked(int id, LocalAnswer answer) {
        if (answer.brokerId() != id || !answer.clusterId().equals(clusterId)) {
            throw new IllegalArgumentException(
                    "there is broker " + answer.brokerId() + " of cluster " + answer.clusterId() + " instead");
        }
        return answer;
    }

    private static void complain(int id, Endpoint endpoint, Peer peer, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        String complaint = cause.toString();
        if (!complaint.equals(peer.complaint)) {
            peer.complaint = complaint;
            LOG.debug("Broker {} does not answer at {}:{}: {}", id, endpoint.host(), endpoint.port(), complaint);
        }
    }

    private synchronized @Nullable HttpClient client() {
        if (client == null && !closed) {
            HttpClientOptions options = new HttpClientOptions().setConnectTimeout(PATIENCE_MS);
            security.secure(options);
            client = vertx.httpClientBuilder()
                    .with(options)
                    .with(new PoolOptions()
                            .setHttp1MaxSize(CONNECTIONS_PER_BROKER)
                            .setMaxWaitQueueSize(MOST_WAITING))
                    .withConnectHandler(connection -> connection.exceptionHandler(cause ->
                            LOG.debug("{} broke its connection: {}", connection.remoteAddress(), cause.toString())))
                    .build();
        }
        return client;
    }

    /** Asks no more. */
    public synchronized Future<Void> close() {
        closed = true;
        HttpClient open = client;
        client = null;
        return open == null ? Future.succeededFuture() : open.close();
    }
}
