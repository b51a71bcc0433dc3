package io.highwater.broker.net;

import io.highwater.broker.api.Client;
import io.highwater.broker.api.RequestRouter;
import io.highwater.broker.metrics.NetworkMetrics;
import io.highwater.wire.frame.EncodedResponse;
import io.highwater.wire.frame.FrameDecoder;
import io.highwater.wire.frame.FrameException;
import io.highwater.wire.frame.LeasedRecords;
import io.highwater.wire.frame.Request;
import io.highwater.wire.frame.RequestReader;
import io.highwater.wire.frame.ResponseEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCounted;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client: frames in, answers out. Hot. Belongs to its channel's event loop but for {@link #onResult} and
 * {@link #onFrameReleased}, which hop to it when they come from elsewhere.
 *
 * <p>New frames are refused, and the socket is not read, while {@link #MAX_IN_FLIGHT} requests are unanswered, while the client
 * does not read its answers, or while the {@link MemoryBudget} has no room. Whatever the client does wrong ends this connection
 * with one log line, and only this connection.
 */
final class Connection extends ChannelInboundHandlerAdapter {
    /** Requests of one connection that may wait for their answers at once; more are not read. */
    static final int MAX_IN_FLIGHT = 64;

    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    private final Client client;
    private final RequestRouter router;
    private final RequestReader reader;
    private final MemoryBudget budget;
    private final NetworkMetrics metrics;
    private final long maxIdleNanos;
    private final long maxStallNanos;
    private final FrameDecoder decoder;
    private final ResponseOrder line = new ResponseOrder();

    /** Bytes of frames admitted and not released. Written on the loop and by whoever is done with records. */
    private final AtomicLong heldBytes = new AtomicLong();

    /** The gate is closed for lack of memory: a release has to open it. Written on the loop. */
    private volatile boolean refusedByBudget;

    private @Nullable ChannelHandlerContext context;
    private String clientId = "";
    private long lastActivityNanos;
    private int admittedBytes;
    private long unsentBytesAtLastCheck;
    private boolean inReadBurst;
    private boolean flushScheduled;
    private boolean waitsForBudget;
    private boolean closed;

    Connection(Client client, RequestRouter router, NetworkContext network) {
        this.client = client;
        this.router = router;
        this.reader = new RequestReader(router.support());
        this.budget = network.memory();
        this.metrics = network.metrics();
        this.maxIdleNanos = TimeUnit.MILLISECONDS.toNanos(network.sockets().maxIdleMs());
        this.maxStallNanos = TimeUnit.MILLISECONDS.toNanos(network.sockets().maxStallMs());
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
        lastActivityNanos = System.nanoTime();
        watch(ctx);
    }

    // ---- in

    private boolean admit(int sizeBytes) {
        if (closed || line.size() >= MAX_IN_FLIGHT || !context().channel().isWritable() || !reserve(sizeBytes)) {
            return false;
        }
        heldBytes.addAndGet(sizeBytes);
        admittedBytes = sizeBytes;
        return true;
    }

    private boolean reserve(int sizeBytes) {
        long held = heldBytes.get();
        while (!budget.tryReserve(held, sizeBytes)) {
            refusedByBudget = true;
            long heldNow = heldBytes.get();
            if (heldNow == held) {
                waitForBudget(held, sizeBytes);
                return false;
            }
            // Something was released before it could see that we are waiting for that.
            held = heldNow;
        }
        refusedByBudget = false;
        return true;
    }

    private void waitForBudget(long held, int sizeBytes) {
        metrics.throttledByMemory();
        if (!waitsForBudget) {
            waitsForBudget = budget.onRoom(
                    held,
                    sizeBytes,
                    () -> onLoop(() -> {
                        waitsForBudget = false;
                        decoder.resume();
                    }));
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf frame = (ByteBuf) message;
        long nowNanos = System.nanoTime();
        inReadBurst = true;
        lastActivityNanos = nowNanos;
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
        metrics.received(request.api(), request.header().requestApiVersion(), sizeBytes);
        if (request.refersToFrame()) {
            handOver(new Exchange(this, request, nowNanos, frame));
        } else {
            frame.release();
            onFrameReleased(sizeBytes);
            handOver(new Exchange(this, request, nowNanos, null));
        }
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
        inReadBurst = false;
        if (decoder.isInsideFrame()) {
            lastActivityNanos = System.nanoTime();
        }
        ctx.flush();
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
        heldBytes.addAndGet(-sizeBytes);
        budget.release(sizeBytes);
        if (refusedByBudget) {
            onLoop(decoder::resume);
        }
    }

    private void finish(Exchange exchange, AsyncResult<@Nullable ApiMessage> result) {
        exchange.run();
        ApiMessage answer = result.result();
        if (closed) {
            LeasedRecords.releaseAll(answer);
            return;
        }
        if (result.failed()) {
            closeAfterFailure(exchange, result.cause());
            return;
        }
        exchange.answered(answer, System.nanoTime());
        writeReady();
        decoder.resume();
    }

    private void writeReady() {
        ChannelHandlerContext ctx = context();
        for (Exchange next = line.pollReady(); next != null; next = line.pollReady()) {
            ApiMessage answer = next.answer();
            long sizeBytes = answer == null ? 0 : write(ctx, next.request(), answer);
            if (closed) {
                return;
            }
            lastActivityNanos = System.nanoTime();
            metrics.answered(
                    next.request().api(),
                    next.arrivalNanos(),
                    next.handledNanos(),
                    next.answeredNanos(),
                    lastActivityNanos,
                    sizeBytes);
        }
        if (!inReadBurst && !flushScheduled) {
            // Several answers may become ready in one turn of the loop; one flush is one system call for all of them.
            flushScheduled = true;
            ctx.executor().execute(this::flush);
        }
    }

    private void flush() {
        flushScheduled = false;
        context().flush();
    }

    private long write(ChannelHandlerContext ctx, Request request, ApiMessage answer) {
        RequestHeaderData header = request.header();
        EncodedResponse encoded;
        try {
            encoded = ResponseEncoder.encode(
                    ctx.alloc(),
                    header.correlationId(),
                    request.answerHeaderVersion(),
                    answer,
                    request.answerVersion());
        } catch (RuntimeException e) {
            fail(ctx, "the answer to " + request.describe() + " cannot be written", e);
            return 0;
        }
        for (ReferenceCounted part : encoded.parts()) {
            ChannelFuture unused = ctx.write(part, ctx.voidPromise());
        }
        return encoded.sizeBytes();
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

    private void closeAfterFailure(Exchange exchange, Throwable cause) {
        String what = exchange.request().describe() + " failed";
        if (cause instanceof RuntimeException) {
            fail(context(), what, cause);
        } else {
            close(context(), what + ": " + cause);
        }
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

    // ---- idleness

    private void watch(ChannelHandlerContext ctx) {
        long inNanos = maxIdleNanos < 0 ? maxStallNanos : Math.min(maxStallNanos, maxIdleNanos);
        io.netty.util.concurrent.Future<?> unused =
                ctx.executor().schedule(() -> check(ctx), inNanos, TimeUnit.NANOSECONDS);
    }

    private void check(ChannelHandlerContext ctx) {
        if (closed || !ctx.channel().isActive()) {
            return;
        }
        noteProgressOut(ctx);
        long quietNanos = System.nanoTime() - lastActivityNanos;
        boolean idle = maxIdleNanos >= 0 && quietNanos >= maxIdleNanos;
        if (decoder.isInsideFrame() && budget.isShort() && quietNanos >= maxStallNanos) {
            close(
                    ctx,
                    "it stopped sending in the middle of a request of " + admittedBytes
                            + " bytes while others wait for memory");
        } else if (idle && !ctx.channel().isWritable()) {
            close(ctx, "it has not read its answers for " + TimeUnit.NANOSECONDS.toMillis(quietNanos) + " ms");
        } else if (idle && line.size() == 0 && !decoder.isWaiting()) {
            LOG.debug("closed connection {}: idle for connections.max.idle.ms", this);
            metrics.closedIdle();
            abandon();
            ChannelFuture unused = ctx.close();
        } else {
            watch(ctx);
        }
    }

    /** A client that takes answers, however slowly, is not idle; the socket does not say so by itself. */
    private void noteProgressOut(ChannelHandlerContext ctx) {
        long unsentBytes = ctx.channel().bytesBeforeWritable();
        if (unsentBytes != unsentBytesAtLastCheck) {
            unsentBytesAtLastCheck = unsentBytes;
            lastActivityNanos = System.nanoTime();
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
