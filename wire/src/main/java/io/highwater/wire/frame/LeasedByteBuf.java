package io.highwater.wire.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.nio.ByteBuffer;

/** Memory that belongs to somebody else: deallocation gives the lease back and frees nothing. */
final class LeasedByteBuf extends UnpooledDirectByteBuf {
    private final LeasedRecords lease;

    private LeasedByteBuf(ByteBuffer view, LeasedRecords lease) {
        super(UnpooledByteBufAllocator.DEFAULT, view, view.remaining());
        this.lease = lease;
    }

    static ByteBuf of(ByteBuffer view, LeasedRecords lease) {
        if (view.isDirect()) {
            return new LeasedByteBuf(view, lease);
        }
        // The heap is copied on its way to the socket anyway; only tests and small answers made up in memory come here.
        ByteBuf copy = Unpooled.copiedBuffer(view);
        lease.release();
        return copy;
    }

    @Override
    protected void deallocate() {
        super.deallocate();
        lease.release();
    }
}
