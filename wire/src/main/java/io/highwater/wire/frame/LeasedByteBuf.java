package io.highwater.wire.frame;

import io.netty.buffer.AbstractReferenceCountedByteBuf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;

/**
 * Direct memory that belongs to somebody else, to be read only: deallocation gives the lease back and frees nothing. Netty has
 * such a buffer for memory that may be written, and segments are mapped read-only.
 */
final class LeasedByteBuf extends AbstractReferenceCountedByteBuf {
    private final ByteBuffer view;
    private final LeasedRecords lease;

    private LeasedByteBuf(ByteBuffer view, LeasedRecords lease) {
        super(view.remaining());
        this.view = view.slice();
        this.lease = lease;
        writerIndex(view.remaining());
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
        lease.release();
    }

    private ByteBuffer part(int index, int length) {
        return view.duplicate().limit(index + length).position(index);
    }

    @Override
    public ByteBuffer nioBuffer(int index, int length) {
        checkIndex(index, length);
        return view.slice(index, length);
    }

    @Override
    public ByteBuffer internalNioBuffer(int index, int length) {
        checkIndex(index, length);
        return part(index, length);
    }

    @Override
    public ByteBuffer[] nioBuffers(int index, int length) {
        return new ByteBuffer[] {nioBuffer(index, length)};
    }

    @Override
    public int nioBufferCount() {
        return 1;
    }

    @Override
    public ByteBuf getBytes(int index, ByteBuf target, int targetIndex, int length) {
        checkDstIndex(index, length, targetIndex, target.capacity());
        target.setBytes(targetIndex, part(index, length));
        return this;
    }

    @Override
    public ByteBuf getBytes(int index, byte[] target, int targetIndex, int length) {
        checkDstIndex(index, length, targetIndex, target.length);
        view.get(index, target, targetIndex, length);
        return this;
    }

    @Override
    public ByteBuf getBytes(int index, ByteBuffer target) {
        checkIndex(index, target.remaining());
        target.put(part(index, target.remaining()));
        return this;
    }

    @Override
    public ByteBuf getBytes(int index, OutputStream target, int length) throws IOException {
        byte[] bytes = new byte[length];
        getBytes(index, bytes);
        target.write(bytes);
        return this;
    }

    @Override
    public int getBytes(int index, GatheringByteChannel target, int length) throws IOException {
        checkIndex(index, length);
        return target.write(part(index, length));
    }

    @Override
    public int getBytes(int index, FileChannel target, long position, int length) throws IOException {
        checkIndex(index, length);
        return target.write(part(index, length), position);
    }

    @Override
    public ByteBuf copy(int index, int length) {
        checkIndex(index, length);
        return alloc().directBuffer(length).writeBytes(part(index, length));
    }

    @Override
    protected byte _getByte(int index) {
        return view.get(index);
    }

    @Override
    protected short _getShort(int index) {
        return view.getShort(index);
    }

    @Override
    protected short _getShortLE(int index) {
        return Short.reverseBytes(view.getShort(index));
    }

    @Override
    protected int _getUnsignedMedium(int index) {
        return ((view.get(index) & 0xff) << 16) | ((view.get(index + 1) & 0xff) << 8) | (view.get(index + 2) & 0xff);
    }

    @Override
    protected int _getUnsignedMediumLE(int index) {
        return (view.get(index) & 0xff) | ((view.get(index + 1) & 0xff) << 8) | ((view.get(index + 2) & 0xff) << 16);
    }

    @Override
    protected int _getInt(int index) {
        return view.getInt(index);
    }

    @Override
    protected int _getIntLE(int index) {
        return Integer.reverseBytes(view.getInt(index));
    }

    @Override
    protected long _getLong(int index) {
        return view.getLong(index);
    }

    @Override
    protected long _getLongLE(int index) {
        return Long.reverseBytes(view.getLong(index));
    }

    @Override
    public int capacity() {
        return view.capacity();
    }

    @Override
    public ByteBufAllocator alloc() {
        return UnpooledByteBufAllocator.DEFAULT;
    }

    @Override
    @SuppressWarnings("deprecation") // abstract in what we extend
    public ByteOrder order() {
        return ByteOrder.BIG_ENDIAN;
    }

    @Override
    @SuppressWarnings("NullAway") // by Netty's contract null says that there is nothing beneath
    public ByteBuf unwrap() {
        return null;
    }

    @Override
    public boolean isDirect() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return true;
    }

    @Override
    public boolean isWritable() {
        return false;
    }

    @Override
    public boolean isWritable(int bytes) {
        return false;
    }

    @Override
    public boolean hasArray() {
        return false;
    }

    @Override
    public byte[] array() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int arrayOffset() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean hasMemoryAddress() {
        return false;
    }

    @Override
    public long memoryAddress() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ByteBuf capacity(int newCapacity) {
        throw new ReadOnlyBufferException();
    }

    @Override
    public ByteBuf setBytes(int index, ByteBuf source, int sourceIndex, int length) {
        throw new ReadOnlyBufferException();
    }

    @Override
    public ByteBuf setBytes(int index, byte[] source, int sourceIndex, int length) {
        throw new ReadOnlyBufferException();
    }

    @Override
    public ByteBuf setBytes(int index, ByteBuffer source) {
        throw new ReadOnlyBufferException();
    }

    @Override
    public int setBytes(int index, InputStream source, int length) {
        throw new ReadOnlyBufferException();
    }

    @Override
    public int setBytes(int index, ScatteringByteChannel source, int length) {
        throw new ReadOnlyBufferException();
    }

    @Override
    public int setBytes(int index, FileChannel source, long position, int length) {
        throw new ReadOnlyBufferException();
    }

    @Override
    protected void _setByte(int index, int value) {
        throw new ReadOnlyBufferException();
    }

    @Override
    protected void _setShort(int index, int value) {
        throw new ReadOnlyBufferException();
    }

    @Override
    protected void _setShortLE(int index, int value) {
        throw new ReadOnlyBufferException();
    }

    @Override
    protected void _setMedium(int index, int value) {
        throw new ReadOnlyBufferException();
    }

    @Override
    protected void _setMediumLE(int index, int value) {
        throw new ReadOnlyBufferException();
    }

    @Override
    protected void _setInt(int index, int value) {
        throw new ReadOnlyBufferException();
    }

    @Override
    protected void _setIntLE(int index, int value) {
        throw new ReadOnlyBufferException();
    }

    @Override
    protected void _setLong(int index, long value) {
        throw new ReadOnlyBufferException();
    }

    @Override
    protected void _setLongLE(int index, long value) {
        throw new ReadOnlyBufferException();
    }
}
