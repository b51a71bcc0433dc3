package io.highwater.wire.frame;

import io.highwater.wire.frame.FrameException.Reason;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the byte stream of one connection into frames and passes each on as one buffer of exactly its size. Hot.
 *
 * <p>A frame that lies whole in what was read is a slice of that. A larger one gets a buffer of its own, which
 * {@link FrameReceiveAllocator} lets the socket fill directly, so that its bytes are copied at most once. Nothing is buffered
 * for a frame whose length is wrong, nor before the {@link FrameGate} has room for it: while the gate says no, the channel is
 * not read.
 *
 * <p>Passes on: frames as {@code channelRead}, owned by the next handler; a {@link FrameException} as
 * {@code exceptionCaught}, after which everything else that arrives is dropped. Belongs to its channel's event loop.
 */
public final class FrameDecoder extends ChannelInboundHandlerAdapter {
    /** API key, version and correlation id: no header is shorter. */
    static final int MIN_FRAME_BYTES = Short.BYTES + Short.BYTES + Integer.BYTES;

    private static final int NO_LENGTH = -1;

    private final int maxFrameBytes;
    private final FrameGate gate;

    /** What was read and waits for the gate, oldest first. Null until first needed, empty when nothing waits. */
    private @Nullable ArrayDeque<ByteBuf> waiting;

    /** The frame being filled; its writer index is how far. Null between frames, or when the frame has not been begun. */
    private @Nullable ByteBuf filling;

    /** What the socket was last given to fill, a part of {@link #filling}; compared by identity only. */
    private @Nullable ByteBuf fillTarget;

    private @Nullable ChannelHandlerContext context;
    private int lengthBytesSeen;
    private int lengthSoFar;
    /** Of the frame to come, once its four bytes are there; else {@link #NO_LENGTH}. */
    private int frameBytes = NO_LENGTH;

    private boolean closedGate;
    private boolean inCutting;
    private boolean dead;

    /**
     * A decoder for one channel.
     *
     * @param maxFrameBytes the largest length accepted, inclusive, without the length field itself
     */
    public FrameDecoder(int maxFrameBytes, FrameGate gate) {
        this.maxFrameBytes = maxFrameBytes;
        this.gate = gate;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (dead) {
            bytes.release();
        } else if (isFillTarget(bytes)) {
            filled(ctx, bytes);
        } else if (closedGate || inCutting) {
            // A TLS handler may deliver more of one read after we asked it to stop.
            keep(bytes);
        } else {
            cut(ctx, bytes);
        }
    }

    /** Asks the gate again, and reads on if it has room. Only while {@link #isWaiting()}; else does nothing. */
    public void resume() {
        ChannelHandlerContext ctx = context;
        if (ctx == null || !closedGate || inCutting || dead) {
            return;
        }
        closedGate = false;
        ByteBuf next;
        while (!closedGate && waiting != null && (next = waiting.poll()) != null) {
            cut(ctx, next);
        }
        ctx.fireChannelReadComplete();
        if (!closedGate && !dead) {
            ctx.channel().config().setAutoRead(true);
        }
    }

    /** Whether the gate has said no and reading has stopped. */
    public boolean isWaiting() {
        return closedGate;
    }

    /** Whether a frame was admitted whose bytes are not all there yet. */
    public boolean isInsideFrame() {
        return filling != null;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        die();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        die();
    }

    /**
     * Where the socket shall put what it reads next: the unfilled part of the current frame, or null when any buffer does. The
     * caller owns the buffer.
     */
    @Nullable
    ByteBuf nextFillTarget() {
        ByteBuf frame = filling;
        if (frame == null || dead) {
            fillTarget = null;
            return null;
        }
        ByteBuf target = frame.retainedSlice(frame.writerIndex(), frame.writableBytes());
        target.setIndex(0, 0);
        fillTarget = target;
        return target;
    }

    /** Identity is meant: the same buffer came back. Buffers with the same contents are equal. */
    @SuppressWarnings("ReferenceEquality")
    private boolean isFillTarget(ByteBuf bytes) {
        return bytes == fillTarget;
    }

    private void filled(ChannelHandlerContext ctx, ByteBuf target) {
        fillTarget = null;
        ByteBuf frame = filling;
        int newBytes = target.readableBytes();
        target.release();
        if (frame == null) {
            throw new IllegalStateException("the socket filled a frame that is not being filled");
        }
        frame.writerIndex(frame.writerIndex() + newBytes);
        if (!frame.isWritable()) {
            passOn(ctx, frame);
        }
    }

    /** Takes all frames out of these bytes that the gate admits, and keeps the rest. Owns the bytes. */
    private void cut(ChannelHandlerContext ctx, ByteBuf bytes) {
        inCutting = true;
        try {
            while (!dead && !closedGate && bytes.isReadable()) {
                step(ctx, bytes);
            }
        } finally {
            inCutting = false;
            if (bytes.isReadable() && closedGate && !dead) {
                keepFirst(bytes);
            } else {
                bytes.release();
            }
        }
    }

    private void step(ChannelHandlerContext ctx, ByteBuf bytes) {
        if (filling != null) {
            fill(ctx, filling, bytes);
            return;
        }
        if (frameBytes == NO_LENGTH && !readLength(ctx, bytes)) {
            return;
        }
        int sizeBytes = frameBytes;
        if (!gate.admit(sizeBytes)) {
            closeGate(ctx);
            return;
        }
        if (bytes.readableBytes() >= sizeBytes) {
            frameBytes = NO_LENGTH;
            ctx.fireChannelRead(bytes.readRetainedSlice(sizeBytes));
            return;
        }
        ByteBuf frame = ctx.alloc().directBuffer(sizeBytes, sizeBytes);
        filling = frame;
        fill(ctx, frame, bytes);
    }

    private void fill(ChannelHandlerContext ctx, ByteBuf frame, ByteBuf bytes) {
        frame.writeBytes(bytes, Math.min(bytes.readableBytes(), frame.writableBytes()));
        if (!frame.isWritable()) {
            passOn(ctx, frame);
        }
    }

    private void passOn(ChannelHandlerContext ctx, ByteBuf frame) {
        filling = null;
        frameBytes = NO_LENGTH;
        ctx.fireChannelRead(frame);
    }

    /** Reads as much of the length as there is; true once {@link #frameBytes} is known and good. */
    private boolean readLength(ChannelHandlerContext ctx, ByteBuf bytes) {
        if (lengthBytesSeen == 0 && bytes.readableBytes() >= Integer.BYTES) {
            frameBytes = bytes.readInt();
        } else {
            while (lengthBytesSeen < Integer.BYTES && bytes.isReadable()) {
                lengthSoFar = (lengthSoFar << Byte.SIZE) | bytes.readUnsignedByte();
                lengthBytesSeen++;
            }
            if (lengthBytesSeen < Integer.BYTES) {
                return false;
            }
            frameBytes = lengthSoFar;
            lengthBytesSeen = 0;
            lengthSoFar = 0;
        }
        if (frameBytes >= MIN_FRAME_BYTES && frameBytes <= maxFrameBytes) {
            return true;
        }
        FrameException reason = badLength(frameBytes, maxFrameBytes);
        die();
        ctx.fireExceptionCaught(reason);
        return false;
    }

    private static FrameException badLength(int length, int maxFrameBytes) {
        String limit = length < MIN_FRAME_BYTES
                ? "is too small for a request header"
                : "is above socket.request.max.bytes=" + maxFrameBytes;
        return new FrameException(
                Reason.BAD_LENGTH, "a frame length of " + length + " bytes " + limit + ForeignProtocol.hint(length));
    }

    private void closeGate(ChannelHandlerContext ctx) {
        closedGate = true;
        ctx.channel().config().setAutoRead(false);
    }

    private void keep(ByteBuf bytes) {
        queue().add(bytes);
    }

    private void keepFirst(ByteBuf bytes) {
        queue().addFirst(bytes);
    }

    private ArrayDeque<ByteBuf> queue() {
        ArrayDeque<ByteBuf> queue = waiting;
        if (queue == null) {
            queue = new ArrayDeque<>(2);
            waiting = queue;
        }
        return queue;
    }

    private void die() {
        dead = true;
        if (filling != null) {
            filling.release();
            filling = null;
        }
        if (waiting != null) {
            waiting.forEach(ByteBuf::release);
            waiting.clear();
        }
    }
}
