package io.highwater.wire.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Gives the socket the frame itself to read into while a large frame is being filled, and ordinary buffers otherwise. Set it
 * on the channel before its first read, and only where the decoder sees the socket's bytes as they are: not behind TLS.
 */
@SuppressWarnings("deprecation") // Netty calls its own extension point deprecated, without another one
public final class FrameReceiveAllocator implements RecvByteBufAllocator {
    private final RecvByteBufAllocator ordinary = new AdaptiveRecvByteBufAllocator();
    private final FrameDecoder decoder;

    /** An allocator for the channel that this decoder is on. */
    public FrameReceiveAllocator(FrameDecoder decoder) {
        this.decoder = decoder;
    }

    @Override
    public Handle newHandle() {
        return new FillingHandle((ExtendedHandle) ordinary.newHandle());
    }

    private final class FillingHandle extends DelegatingHandle implements ExtendedHandle {
        private final ExtendedHandle ordinaryHandle;

        FillingHandle(ExtendedHandle ordinaryHandle) {
            super(ordinaryHandle);
            this.ordinaryHandle = ordinaryHandle;
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            ByteBuf target = decoder.nextFillTarget();
            return target != null ? target : ordinaryHandle.allocate(allocator);
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            return ordinaryHandle.continueReading(maybeMoreData);
        }
    }
}
