package io.highwater.broker.net;

import io.highwater.broker.api.Client;
import io.highwater.broker.api.RequestRouter;
import io.highwater.broker.api.UnanswerableException;
import io.highwater.broker.metrics.NetworkMetrics;
import io.highwater.wire.frame.FrameDecoder;
import io.highwater.wire.frame.FrameException;
import io.highwater.wire.frame.LeasedRecords;
import io.highwater.wire.frame.Request;
import io.highwater.wire.frame.RequestReader;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client: frames in, answers out. Hot. Belongs to its channel's event loop but for {@link #onResult} and
 * {@link #onFrameReleased}, which hop to it when they come from elsewhere.
 *
 * <p>New frames are refused, and the socket is not read, while {@link #MAX_IN_FLIGHT} requests are unanswered, while the client
 * does not read its answers, or while its {@link FrameMemory} has no room. Whatever the client does wrong, or tries our
 * {@link Patience} with, ends this connection with one log line, and only this connection.
 */
final class Connection extends ChannelInboundHandlerAdapter {
    /** Requests of one connection that may wait for their answers at once; more are not read. */
    static final int MAX_IN_FLIGHT = 64;

    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    private final Client client;
    private final RequestRouter router;
    private final RequestReader reader;
    private final NetworkMetrics metrics;
    private final FrameMemory memory;
    private final Patience patience;
    private final FrameDecoder decoder;
    private final ResponseOrder line = new ResponseOrder();
    private boolean softwareKnown;
    private final ResponseWriter writer;

    private @Nullable ChannelHandlerContext context;
    private String clientId = "";

    /** Of the frame that is being received. */
    private int admittedBytes;

    private boolean closed;

    Connection(Client client, RequestRouter router, NetworkContext network) {
        this.client = client;
        this.router = router;
        this.reader = new RequestReader(router.support());
        this.metrics = network.metrics();
        this.memory = new FrameMemory(network.memory(), metrics, this::askGateAgain);
        this.patience = new Patience(network.sockets());
        this.writer = new ResponseWriter(metrics);
        this.decoder = new FrameDecoder(network.sockets().maxRequestBytes(), this::admit);
    }

    /** The handler that goes in front of this one. */
    FrameDecoder decoder() {
        return decoder;
    }

    Client client() {
        return client;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        watch(ctx);
    }

    // ---- in

    private boolean admit(int sizeBytes) {
        if (closed || line.size() >= MAX_IN_FLIGHT || !context().channel().isWritable() || !memory.take(sizeBytes)) {
            return false;
        }
        admittedBytes = sizeBytes;
        return true;
    }

    /** Any thread. */
    private void askGateAgain() {
        onLoop(decoder::resume);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf frame = (ByteBuf) message;
        long nowNanos = System.nanoTime();
        writer.onRead();
        patience.noteActivity(nowNanos);
        admittedBytes = 0;
        int sizeBytes = frame.readableBytes();
        if (closed) {
            frame.release();
            onFrameReleased(sizeBytes);
            return;
        }
        Request request;
        try {
            request = reader.read(frame);
        } catch (FrameException e) {
            frame.release();
            onFrameReleased(sizeBytes);
            close(ctx, e.getMessage());
            return;
        }
        clientId = request.header().clientId();
        metrics.received(request.api(), request.header().requestApiVersion(), request.body(), sizeBytes);
        if (request.body() instanceof ApiVersionsRequestData self) {
            noteSoftware(ctx, self);
        }
        if (request.refersToFrame()) {
            handOver(new Exchange(this, request, nowNanos, frame));
        } else {
            frame.release();
            onFrameReleased(sizeBytes);
            handOver(new Exchange(this, request, nowNanos, null));
        }
    }

    /** The first time that the client says what it is. */
    private void noteSoftware(ChannelHandlerContext ctx, ApiVersionsRequestData self) {
        if (softwareKnown || self.clientSoftwareName().isEmpty()) {
            return;
        }
        softwareKnown = true;
        Runnable gone = metrics.calledItself(
                self.clientSoftwareName(),
                self.clientSoftwareVersion(),
                client.listener().value());
        ctx.channel().closeFuture().addListener(closed -> gone.run());
    }

    private void handOver(Exchange exchange) {
        line.add(exchange);
        Future<@Nullable ApiMessage> future = router.route(exchange.toApiRequest());
        exchange.handled(System.nanoTime());
        if (future.isComplete()) {
            finish(exchange, future);
        } else {
            future.onComplete(exchange);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (decoder.isInsideFrame()) {
            patience.noteActivity(System.nanoTime());
        }
        writer.onReadComplete(ctx);
    }

    // ---- out

    /** The result of a request is there. Any thread. */
    void onResult(Exchange exchange, AsyncResult<@Nullable ApiMessage> result) {
        if (context().executor().inEventLoop()) {
            finish(exchange, result);
        } else if (!onLoop(() -> finish(exchange, result))) {
            exchange.run();
            LeasedRecords.releaseAll(result.result());
        }
    }

    /** Runs this on the loop, later; false if the loop has ended, and with it the connection. */
    private boolean onLoop(Runnable task) {
        try {
            context().executor().execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** A frame has been released. Any thread. */
    void onFrameReleased(int sizeBytes) {
        memory.giveBack(sizeBytes);
    }

    private void finish(Exchange exchange, AsyncResult<@Nullable ApiMessage> result) {
        if (closed) {
            exchange.run();
            LeasedRecords.releaseAll(result.result());
            return;
        }
        ApiMessage answer;
        try {
            answer = result.succeeded()
                    ? result.result()
                    : router.answerToFailed(exchange.toApiRequest(), result.cause());
        } catch (UnanswerableException e) {
            metrics.unanswered(exchange.api(), e.error());
            close(context(), exchange.request().describe() + " failed: " + e.getMessage());
            return;
        } finally {
            exchange.run();
        }
        long nowNanos = System.nanoTime();
        exchange.answered(answer, nowNanos);
        patience.noteActivity(nowNanos);
        try {
            writer.writeReady(context(), line);
        } catch (IllegalStateException e) {
            fail(context(), String.valueOf(e.getMessage()), e);
        }
        decoder.resume();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            decoder.resume();
        }
        ctx.fireChannelWritabilityChanged();
    }

    // ---- the end

    /** Ends the connection because of what the client did; its one log line tells what. Later calls do nothing. */
    private void close(ChannelHandlerContext ctx, @Nullable String reason) {
        if (!closed) {
            LOG.warn("closed connection {}: {}", this, reason);
            breakOff(ctx);
        }
    }

    /** Ends the connection because we cannot go on. Later calls do nothing. */
    private void fail(ChannelHandlerContext ctx, String what, Throwable cause) {
        if (!closed) {
            LOG.error("closed connection {}: {}", this, what, cause);
            breakOff(ctx);
        }
    }

    private void breakOff(ChannelHandlerContext ctx) {
        metrics.closedByUs();
        abandon();
        ChannelFuture unused = ctx.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof FrameException) {
            close(ctx, cause.getMessage());
        } else if (cause instanceof IOException && !closed) {
            // Clients go away in the middle all the time.
            LOG.debug("connection {} broke: {}", this, cause.toString());
            abandon();
            ChannelFuture unused = ctx.close();
        } else if (!closed) {
            fail(ctx, cause.toString(), cause);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        abandon();
        if (admittedBytes > 0) {
            // A frame that will never be complete; the decoder has dropped its buffer.
            onFrameReleased(admittedBytes);
            admittedBytes = 0;
        }
        ctx.fireChannelInactive();
    }

    private void abandon() {
        closed = true;
        line.abandon();
    }

    // ---- patience

    private void watch(ChannelHandlerContext ctx) {
        io.netty.util.concurrent.Future<?> unused =
                ctx.executor().schedule(() -> check(ctx), patience.checkIntervalNanos(), TimeUnit.NANOSECONDS);
    }

    private void check(ChannelHandlerContext ctx) {
        if (closed || !ctx.channel().isActive()) {
            return;
        }
        long nowNanos = System.nanoTime();
        boolean holdsUpOthers = decoder.isInsideFrame() && memory.isShort();
        boolean isUnused = line.size() == 0 && !decoder.isWaiting();
        Patience.Fault fault = patience.fault(ctx.channel(), holdsUpOthers, isUnused, nowNanos);
        if (fault == null) {
            watch(ctx);
            return;
        }
        switch (fault) {
            case STALLED ->
                close(
                        ctx,
                        "it stopped sending in the middle of a request of " + admittedBytes
                                + " bytes while others wait for memory");
            case DEAF ->
                close(
                        ctx,
                        "it has not read its answers for "
                                + TimeUnit.NANOSECONDS.toMillis(patience.quietNanos(nowNanos)) + " ms");
            case IDLE -> {
                LOG.debug("closed connection {}: idle for connections.max.idle.ms", this);
                metrics.closedIdle();
                abandon();
                ChannelFuture unused = ctx.close();
            }
        }
    }

    private ChannelHandlerContext context() {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            throw new IllegalStateException("used before it was added to a channel");
        }
        return ctx;
    }

    /** For log lines: address, listener and client id. */
    @Override
    public String toString() {
        return client.address().getAddress().getHostAddress() + ":"
                + client.address().getPort() + " on " + client.listener().value() + " (client id \"" + clientId + "\")";
    }
}
