package io.highwater.broker.http;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.view.LocalAnswer;
import io.highwater.broker.view.LocalQuestion;
import io.highwater.broker.view.Peers;
import io.highwater.controlplane.BrokerView;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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
    private @Nullable Asking asking;

    private record Asking(HttpClient client, Context context) {}

    /** Guarded by itself. */
    private final List<Letter> outbox = new ArrayList<>();

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

    /** One question on its way, of one or more who ask. */
    private static final class Letter {
        final int id;
        final Endpoint endpoint;
        final Peer peer;
        final int patienceMs;
        final CompletableFuture<@Nullable LocalAnswer> answer = new CompletableFuture<>();
        LocalQuestion question;

        Letter(BrokerView broker, Endpoint endpoint, Peer peer, LocalQuestion question) {
            this.id = broker.id();
            this.endpoint = endpoint;
            this.peer = peer;
            this.question = question;
            this.patienceMs = question.isCommand() ? COMMAND_PATIENCE_MS : PATIENCE_MS;
        }

        boolean takes(int broker, LocalQuestion more) {
            LocalQuestion both = id == broker ? question.with(more) : null;
            if (both == null) {
                return false;
            }
            question = both;
            return true;
        }
    }

    @Override
    public CompletionStage<@Nullable LocalAnswer> ask(BrokerView broker, LocalQuestion question) {
        Endpoint endpoint = broker.endpoints().get(BrokerConfig.HTTP_LISTENER);
        if (endpoint == null) {
            return CompletableFuture.completedFuture(null);
        }
        Peer peer = peers.computeIfAbsent(broker.id(), id -> new Peer());
        if (question.isCommand() || !peer.isSilent()) {
            return post(broker, endpoint, peer, question);
        }
        if (peer.tried.compareAndSet(false, true)) {
            var unused = post(broker, endpoint, peer, LocalQuestion.NOTHING)
                    .whenComplete((answer, failure) -> peer.tried.set(false));
        }
        return CompletableFuture.completedFuture(null);
    }

    /** What is asked of one broker in one go is sent as one question, once whoever asks has done so. */
    private CompletionStage<@Nullable LocalAnswer> post(
            BrokerView broker, Endpoint endpoint, Peer peer, LocalQuestion question) {
        synchronized (outbox) {
            for (Letter letter : outbox) {
                if (letter.takes(broker.id(), question)) {
                    return letter.answer;
                }
            }
            if (outbox.isEmpty()) {
                thread.execute(this::sendAll);
            }
            Letter letter = new Letter(broker, endpoint, peer, question);
            outbox.add(letter);
            return letter.answer;
        }
    }

    private void sendAll() {
        List<Letter> letters;
        synchronized (outbox) {
            letters = List.copyOf(outbox);
            outbox.clear();
        }
        Asking asking = asking();
        if (asking == null) {
            letters.forEach(letter -> letter.answer.complete(null));
            return;
        }
        List<Buffer> bodies = letters.stream()
                .map(letter -> Buffer.buffer(Json.write(letter.question)))
                .toList();
        // One hop for all, and onto the loop that has the connections: a question asked from elsewhere would wake two
        // loops on its way out and two on its way back.
        asking.context.runOnContext(hopped -> {
            for (int i = 0; i < letters.size(); i++) {
                send(asking.client, letters.get(i), bodies.get(i));
            }
        });
    }

    private void send(HttpClient asking, Letter letter, Buffer body) {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost(letter.endpoint.host())
                .setPort(letter.endpoint.port())
                .setSsl(letter.endpoint.securityProtocol() == SecurityProtocol.SSL)
                .setURI(ApiRoutes.LOCAL)
                // No limit on the wait for a connection of the pool: a timer that ends that wait just as a connection
                // comes fails twice, with a stack trace in the log. Who comes too late for its answer is not sent.
                .setIdleTimeout(letter.patienceMs)
                .putHeader("Content-Type", Answers.JSON);
        if (security.token() != null) {
            options.putHeader("Authorization", "Bearer " + security.token());
        }
        long askedAtNanos = System.nanoTime();
        var unused = asking.request(options)
                .compose(request -> inTime(askedAtNanos, letter.patienceMs) ? request.send(body) : tooLate(request))
                .compose(response -> response.statusCode() == OK
                        ? response.body()
                        : Future.<Buffer>failedFuture("it answers " + response.statusCode()))
                .timeout(letter.patienceMs, TimeUnit.MILLISECONDS)
                .onComplete(got -> thread.execute(() -> take(letter, got)));
    }

    private void take(Letter letter, AsyncResult<Buffer> got) {
        LocalAnswer answer = null;
        Throwable failure = got.cause();
        if (got.succeeded()) {
            try {
                answer = checked(letter.id, JsonRecords.read(got.result().toString(), LocalAnswer.class));
            } catch (IllegalArgumentException e) {
                failure = e;
            }
        }
        letter.peer.answered(answer != null);
        if (failure != null) {
            complain(letter, failure);
        }
        letter.answer.complete(answer);
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

    private static void complain(Letter letter, Throwable failure) {
        String complaint = failure.toString();
        if (!complaint.equals(letter.peer.complaint)) {
            letter.peer.complaint = complaint;
            Endpoint at = letter.endpoint;
            LOG.debug("Broker {} does not answer at {}:{}: {}", letter.id, at.host(), at.port(), complaint);
        }
    }

    private synchronized @Nullable Asking asking() {
        if (asking == null && !closed) {
            HttpClientOptions options = new HttpClientOptions().setConnectTimeout(PATIENCE_MS);
            security.secure(options);
            HttpClient client = vertx.httpClientBuilder()
                    .with(options)
                    .with(new PoolOptions()
                            .setHttp1MaxSize(CONNECTIONS_PER_BROKER)
                            .setMaxWaitQueueSize(MOST_WAITING))
                    .withConnectHandler(connection -> connection.exceptionHandler(cause ->
                            LOG.debug("{} broke its connection: {}", connection.remoteAddress(), cause.toString())))
                    .build();
            asking = new Asking(client, vertx.getOrCreateContext());
        }
        return asking;
    }

    /** Asks no more. */
    public synchronized Future<Void> close() {
        closed = true;
        Asking open = asking;
        asking = null;
        return open == null ? Future.succeededFuture() : open.client.close();
    }
}
