package io.highwater.broker.peer;

import io.highwater.wire.frame.FrameDecoder;
import io.highwater.wire.frame.FrameReceiveAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageSizeAccumulator;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.jspecify.annotations.Nullable;

/**
 * One connection to another broker. Answers come in the order of the requests; records in an answer are slices of its frame, and good only
 * until its handler has returned. Belongs to its event loop. Once it has failed, every request is told so, and nothing goes any more.
 */
final class PeerConnection extends ChannelInboundHandlerAdapter {
    private final String clientId;
    private final int timeoutMs;
    private final EventLoop loop;
    private final Channel channel;
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private int lastCorrelationId;
    private @Nullable IOException failure;

    /** Hears of one request. */
    interface Answer {
        /** The answer is there. */
        void arrived(ApiMessage body);

        /** It will never come. */
        void failed(IOException cause);
    }

    private record Pending(int correlationId, ApiKeys api, short version, Answer answer, ScheduledFuture<?> patience) {}

    /**
     * Takes over a socket that has just been connected, on its event loop.
     *
     * @param maxAnswerBytes the largest answer that is taken; the connection fails with a larger one
     * @param timeoutMs how long an answer may take
     */
    @SuppressWarnings("deprecation") // the receive allocator: Netty's only way to say where to read into
    PeerConnection(NetSocket socket, String clientId, int maxAnswerBytes, int timeoutMs) {
        ChannelHandlerContext vertxHandler = ((NetSocketInternal) socket).channelHandlerContext();
        this.clientId = clientId;
        this.timeoutMs = timeoutMs;
        this.channel = vertxHandler.channel();
        this.loop = channel.eventLoop();
        FrameDecoder decoder = new FrameDecoder(maxAnswerBytes, sizeBytes -> true);
        channel.config()
                .setAllocator(PooledByteBufAllocator.DEFAULT)
                .setRecvByteBufAllocator(new FrameReceiveAllocator(decoder));
        channel.pipeline()
                .addBefore(vertxHandler.name(), "frames", decoder)
                .addBefore(vertxHandler.name(), "peer", this);
    }

    /** Asks. The answer is told later, never before this returns. */
    void send(ApiKeys api, short version, ApiMessage body, Answer answer) {
        assert loop.inEventLoop();
        if (failure != null) {
            IOException cause = failure;
            loop.execute(() -> answer.failed(cause));
            return;
        }
        int correlationId = lastCorrelationId++;
        ScheduledFuture<?> patience = loop.schedule(
                () -> fail(new IOException("no answer to " + api.name + " within " + timeoutMs + " ms")),
                timeoutMs,
                TimeUnit.MILLISECONDS);
        pending.add(new Pending(correlationId, api, version, answer, patience));
        var unused = channel.writeAndFlush(encode(api, version, correlationId, body));
    }

    private ByteBuf encode(ApiKeys api, short version, int correlationId, ApiMessage body) {
        RequestHeaderData header = new RequestHeaderData()
                .setRequestApiKey(api.id)
                .setRequestApiVersion(version)
                .setCorrelationId(correlationId)
                .setClientId(clientId);
        short headerVersion = api.requestHeaderVersion(version);
        ObjectSerializationCache cache = new ObjectSerializationCache();
        MessageSizeAccumulator size = new MessageSizeAccumulator();
        header.addSize(size, cache, headerVersion);
        body.addSize(size, cache, version);
        int sizeBytes = size.totalSize();
        ByteBuf frame = channel.alloc().directBuffer(Integer.BYTES + sizeBytes, Integer.BYTES + sizeBytes);
        frame.writeInt(sizeBytes);
        ByteBuffer bytes = frame.nioBuffer(Integer.BYTES, sizeBytes);
        ByteBufferAccessor writable = new ByteBufferAccessor(bytes);
        header.write(writable, cache, headerVersion);
        body.write(writable, cache, version);
        return frame.writerIndex(Integer.BYTES + sizeBytes);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf frame = (ByteBuf) message;
        Pending next = pending.poll();
        try {
            if (next == null) {
                throw new IOException("an answer that nothing was asked for");
            }
            next.patience().cancel(false);
            next.answer().arrived(decode(next, frame));
        } catch (RuntimeException | IOException e) {
            if (next != null) {
                pending.addFirst(next);
            }
            fail(e instanceof IOException io ? io : new IOException("an answer that makes no sense: " + e, e));
        } finally {
            frame.release();
        }
    }

    private static ApiMessage decode(Pending asked, ByteBuf frame) throws IOException {
        ByteBufferAccessor readable = new ByteBufferAccessor(frame.nioBuffer());
        ResponseHeaderData header =
                new ResponseHeaderData(readable, asked.api().responseHeaderVersion(asked.version()));
        if (header.correlationId() != asked.correlationId()) {
            throw new IOException(
                    "answer " + header.correlationId() + " where " + asked.correlationId() + " was expected");
        }
        ApiMessage body = asked.api().messageType.newResponse();
        body.read(readable, asked.version());
        return body;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(new IOException("the connection was closed"));
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fail(cause instanceof IOException io ? io : new IOException(cause.getMessage(), cause));
    }

    /** Ends it; whoever still waits is told. Idempotent. */
    void close() {
        fail(new IOException("closed"));
    }

    private void fail(IOException cause) {
        if (failure != null) {
            return;
        }
        failure = cause;
        var unused = channel.close();
        for (Pending waiting = pending.poll(); waiting != null; waiting = pending.poll()) {
            waiting.patience().cancel(false);
            Answer answer = waiting.answer();
            loop.execute(() -> answer.failed(cause));
        }
    }
}
