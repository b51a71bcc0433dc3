package io.highwater.broker.net;

import io.highwater.broker.metrics.NetworkMetrics;
import io.highwater.wire.frame.EncodedResponse;
import io.highwater.wire.frame.Request;
import io.highwater.wire.frame.ResponseEncoder;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCounted;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiMessage;

/** Writes the answers of one connection, as many as it can with one system call. Hot. Belongs to the connection's event loop. */
final class ResponseWriter {
    /** How long the socket takes is looked at for one answer in so many, a power of two: it costs an allocation. */
    private static final int TIMED = 16;

    private final NetworkMetrics metrics;
    private int answers;
    private boolean inReadBurst;
    private boolean flushScheduled;

    ResponseWriter(NetworkMetrics metrics) {
        this.metrics = metrics;
    }

    /** More may be read in this turn of the loop: what is written can wait for that. */
    void onRead() {
        inReadBurst = true;
    }

    /** Nothing more is read in this turn of the loop. */
    void onReadComplete(ChannelHandlerContext ctx) {
        inReadBurst = false;
        ctx.flush();
    }

    /**
     * Hands all answers whose turn it is to the socket.
     *
     * @throws IllegalStateException if one cannot be encoded, which is our bug: the client would wait for it for ever
     */
    void writeReady(ChannelHandlerContext ctx, ResponseOrder line) {
        for (Exchange next = line.pollReady(); next != null; next = line.pollReady()) {
            ApiMessage answer = next.answer();
            long sizeBytes = answer == null ? 0 : write(ctx, next, answer);
            metrics.answered(next, System.nanoTime(), sizeBytes);
        }
        if (!inReadBurst && !flushScheduled) {
            // Several answers may become ready in one turn of the loop; one flush is one system call for all of them.
            flushScheduled = true;
            ctx.executor().execute(() -> flush(ctx));
        }
    }

    private long write(ChannelHandlerContext ctx, Exchange exchange, ApiMessage answer) {
        Request request = exchange.request();
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
            throw new IllegalStateException("the answer to " + request.describe() + " cannot be written", e);
        }
        int last = encoded.parts().size() - 1;
        for (int i = 0; i <= last; i++) {
            ReferenceCounted part = encoded.parts().get(i);
            boolean timed = i == last && (answers++ & (TIMED - 1)) == 0;
            ChannelFuture unused = ctx.write(part, timed ? timing(ctx, exchange) : ctx.voidPromise());
        }
        return encoded.sizeBytes();
    }

    private ChannelPromise timing(ChannelHandlerContext ctx, Exchange exchange) {
        long writtenNanos = System.nanoTime();
        return ctx.newPromise().addListener(taken -> {
            if (taken.isSuccess()) {
                metrics.sent(exchange, System.nanoTime() - writtenNanos);
            } else {
                ctx.fireExceptionCaught(taken.cause());
            }
        });
    }

    private void flush(ChannelHandlerContext ctx) {
        flushScheduled = false;
        ctx.flush();
    }
}
