package io.highwater.broker.peer;

import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a fetcher reaches its leader: where it is now, with which versions, and again after longer and longer waits when it is not there. Says
 * once that a leader cannot be reached, and once that it is back. Belongs to its event loop.
 */
final class LeaderCall {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderCall.class);
    private static final short API_VERSIONS_VERSION = 3;
    private static final int FIRST_RETRY_MS = 20;

    private final int leaderId;
    private final int number;
    private final Context context;
    private final EventLoop loop;
    private final NetClient client;
    private final Neighbourhood neighbourhood;
    private final PeerSettings settings;
    private boolean calling;
    private boolean closed;
    private boolean saidUnreachable;
    private int failures;

    /** Hears of an attempt, on the event loop. */
    interface Outcome {
        void connected(LeaderConnection connection);

        /** It did not succeed, and its wait is over. */
        void retry();
    }

    /**
     * What the cluster's metadata say.
     *
     * @param leader where it is called, empty if it is not known
     * @param metadataVersion the finalized level
     * @param brokerEpoch of this broker's registration
     */
    record Neighbourhood(Supplier<Optional<Node>> leader, Supplier<Short> metadataVersion, LongSupplier brokerEpoch) {}

    /** @param number of the fetcher, among those that follow this leader */
    LeaderCall(
            int leaderId,
            int number,
            Context context,
            EventLoop loop,
            NetClient client,
            Neighbourhood neighbourhood,
            PeerSettings settings) {
        this.leaderId = leaderId;
        this.number = number;
        this.context = context;
        this.loop = loop;
        this.client = client;
        this.neighbourhood = neighbourhood;
        this.settings = settings;
    }

    int leaderId() {
        return leaderId;
    }

    EventLoop loop() {
        return loop;
    }

    long brokerEpoch() {
        return neighbourhood.brokerEpoch().getAsLong();
    }

    /** Tries it once; nothing if an attempt or its wait is under way. */
    void connect(Outcome outcome) {
        assert loop.inEventLoop();
        if (calling || closed) {
            return;
        }
        calling = true;
        Optional<Node> leader = neighbourhood.leader().get();
        if (leader.isEmpty()) {
            failed(new IOException("its address is not known"), outcome);
            return;
        }
        context.runOnContext(nothing -> client.connect(
                        leader.get().port(), leader.get().host())
                .onComplete(connected -> {
                    if (connected.succeeded()) {
                        onConnected(connected.result(), outcome);
                    } else {
                        failed(connected.cause(), outcome);
                    }
                }));
    }

    /** A connection that had been there is gone. */
    void lost(IOException cause, Outcome outcome) {
        if (failures == 0) {
            LOG.info("{} has lost its connection: {}", this, cause.getMessage());
        }
        calling = true;
        await(outcome);
    }

    /** The leader has answered a fetch, and the answer was of use: only that ends a series of failures. */
    void worked() {
        if (saidUnreachable) {
            LOG.info("{} has reached it again", this);
        }
        saidUnreachable = false;
        failures = 0;
    }

    /** No attempt any more. */
    void close() {
        closed = true;
    }

    private void onConnected(NetSocket socket, Outcome outcome) {
        String clientId = "broker-" + settings.nodeId() + "-fetcher-" + number;
        PeerConnection connection =
                new PeerConnection(socket, clientId, settings.maxAnswerBytes(), settings.socketTimeoutMs());
        if (closed) {
            connection.close();
            return;
        }
        ApiVersionsRequestData request =
                new ApiVersionsRequestData().setClientSoftwareName("highwater").setClientSoftwareVersion("0");
        connection.send(ApiKeys.API_VERSIONS, API_VERSIONS_VERSION, request, new PeerConnection.Answer() {
            @Override
            public void arrived(ApiMessage body) {
                try {
                    FetchVersions versions = FetchVersions.of(
                            (ApiVersionsResponseData) body,
                            neighbourhood.metadataVersion().get());
                    calling = false;
                    outcome.connected(new LeaderConnection(connection, versions));
                } catch (IOException e) {
                    connection.close();
                    failed(e);
                }
            }

            @Override
            public void failed(IOException cause) {
                failed((Throwable) cause);
            }

            private void failed(Throwable cause) {
                LeaderCall.this.failed(cause, outcome);
            }
        });
    }

    private void failed(Throwable cause, Outcome outcome) {
        if (closed) {
            return;
        }
        if (!saidUnreachable) {
            saidUnreachable = true;
            LOG.warn(
                    "{} cannot be reached: {}; it is tried again at least every {} ms",
                    this,
                    cause.getMessage(),
                    settings.backoffMs());
        }
        await(outcome);
    }

    private void await(Outcome outcome) {
        long waitMs = Math.min(settings.backoffMs(), (long) FIRST_RETRY_MS << Math.min(failures, 16));
        failures++;
        var unused = loop.schedule(
                () -> {
                    calling = false;
                    if (!closed) {
                        outcome.retry();
                    }
                },
                waitMs,
                TimeUnit.MILLISECONDS);
    }

    @Override
    public String toString() {
        return "Fetcher " + number + " of leader " + leaderId;
    }
}
