package io.highwater.controlplane;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.fault.FaultHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that sends requests to other nodes, one connection to each, and hands their answers back. It does not retry: an
 * unreachable node fails the request at once, and whoever asked decides what to do. The thread starts with the first request. If it ever fails,
 * so does the control plane: a node that cannot call would go on as one that nobody hears of.
 */
final class NodeClient implements AutoCloseable {
    /** More requests than this on their way mean that nobody answers; further ones fail at once. */
    static final int MAX_OUTSTANDING = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(NodeClient.class);

    private final KafkaClient network;
    private final Detour detour;
    private final Absentees absentees;
    private final FaultHandler fatal;
    private final int requestTimeoutMs;
    private final Thread thread;
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile boolean closing;

    private final ConcurrentLinkedQueue<Outgoing> handedIn = new ConcurrentLinkedQueue<>();
    private final Set<Outgoing> outstanding = ConcurrentHashMap.newKeySet();
    private final AtomicInteger outstandingCount = new AtomicInteger();

    /** Not yet given to the network, by node; owned by the thread. */
    private final Map<Node, Deque<Outgoing>> unsent = new HashMap<>();

    /** @param fatal told if the thread fails */
    NodeClient(
            String threadName,
            KafkaClient network,
            Detour detour,
            Absentees absentees,
            int requestTimeoutMs,
            FaultHandler fatal) {
        this.network = network;
        this.detour = detour;
        this.absentees = absentees;
        this.requestTimeoutMs = requestTimeoutMs;
        this.fatal = fatal;
        this.thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
    }

    /**
     * Sends a request. May be called from any thread.
     *
     * @return the answer, on this client's thread; fails with {@link DisconnectException} when the node cannot be reached, does not answer in
     *     time or the client is closed, with UnsupportedVersionException when it does not know the API
     */
    CompletionStage<AbstractResponse> send(Node node, AbstractRequest.Builder<?> request) {
        Outgoing outgoing = new Outgoing(detour.toward(node), request);
        if (outstandingCount.incrementAndGet() > MAX_OUTSTANDING) {
            outstandingCount.decrementAndGet();
            return CompletableFuture.failedFuture(
                    new DisconnectException("more than " + MAX_OUTSTANDING + " requests are waiting for " + node));
        }
        outstanding.add(outgoing);
        if (closing) {
            finish(outgoing, null, closed());
            return outgoing.answer;
        }
        handedIn.add(outgoing);
        if (started.compareAndSet(false, true)) {
            thread.start();
        }
        network.wakeup();
        return outgoing.answer;
    }

    private void run() {
        try {
            while (!closing) {
                sendAndReceive();
            }
        } catch (Throwable broken) { // errors too: whatever it is, this node calls nobody any more
            if (!closing) {
                fatal.handleFault(thread.getName() + " failed", broken);
            }
        } finally {
            closing = true;
            failOutstanding();
        }
    }

    private void sendAndReceive() {
        for (Outgoing outgoing = handedIn.poll(); outgoing != null; outgoing = handedIn.poll()) {
            unsent.computeIfAbsent(outgoing.node, node -> new ArrayDeque<>()).add(outgoing);
        }
        long nowMs = Time.SYSTEM.milliseconds();
        long waitMs = sendReady(nowMs);
        network.poll(waitMs, nowMs);
        failUnreachable();
    }

    private long sendReady(long nowMs) {
        long waitMs = Long.MAX_VALUE;
        for (Map.Entry<Node, Deque<Outgoing>> queue : unsent.entrySet()) {
            Node node = queue.getKey();
            while (!queue.getValue().isEmpty()) {
                if (!network.ready(node, nowMs)) {
                    waitMs = Math.min(waitMs, network.connectionDelay(node, nowMs));
                    break;
                }
                absentees.met(node);
                network.send(queue.getValue().remove().toClientRequest(nowMs), nowMs);
            }
        }
        unsent.values().removeIf(Deque::isEmpty);
        return waitMs;
    }

    private void failUnreachable() {
        Iterator<Map.Entry<Node, Deque<Outgoing>>> queues = unsent.entrySet().iterator();
        while (queues.hasNext()) {
            Map.Entry<Node, Deque<Outgoing>> queue = queues.next();
            Node node = queue.getKey();
            if (network.connectionFailed(node)) {
                AuthenticationException refused = network.authenticationException(node);
                if (refused == null) {
                    absentees.missed(node);
                }
                Exception why = refused != null ? refused : new DisconnectException("cannot connect to " + node);
                queue.getValue().forEach(outgoing -> finish(outgoing, null, why));
                queues.remove();
            }
        }
    }

    private void failOutstanding() {
        outstanding.forEach(outgoing -> finish(outgoing, null, closed()));
    }

    private static DisconnectException closed() {
        return new DisconnectException("the connection was closed by this node");
    }

    private void finish(Outgoing outgoing, @Nullable AbstractResponse answer, @Nullable Exception failure) {
        if (!outstanding.remove(outgoing)) {
            return;
        }
        outstandingCount.decrementAndGet();
        if (failure != null) {
            outgoing.answer.completeExceptionally(failure);
        } else {
            outgoing.answer.complete(answer);
        }
    }

    /** Stops the thread and closes the connections. Blocks for the thread's end; fails what was not answered. */
    @Override
    public void close() {
        closing = true;
        network.initiateClose();
        if (!started.compareAndSet(false, true)) {
            joinThread();
        }
        failOutstanding();
        try {
            network.close();
        } catch (Exception ignored) {
            LOG.debug("closing {}", thread.getName(), ignored);
        }
    }

    private void joinThread() {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Outgoing {
        private final Node node;
        private final AbstractRequest.Builder<?> request;
        private final CompletableFuture<AbstractResponse> answer = new CompletableFuture<>();

        Outgoing(Node node, AbstractRequest.Builder<?> request) {
            this.node = node;
            this.request = request;
        }

        ClientRequest toClientRequest(long nowMs) {
            return network.newClientRequest(node.idString(), request, nowMs, true, requestTimeoutMs, this::onResponse);
        }

        private void onResponse(ClientResponse response) {
            if (response.versionMismatch() != null) {
                finish(this, null, response.versionMismatch());
            } else if (response.authenticationException() != null) {
                finish(this, null, response.authenticationException());
            } else if (response.wasDisconnected() || !response.hasResponse()) {
                finish(this, null, new DisconnectException("lost the connection to " + node));
            } else {
                finish(this, response.responseBody(), null);
            }
        }
    }
}
