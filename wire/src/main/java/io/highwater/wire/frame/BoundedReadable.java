package io.highwater.wire.frame;

import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.utils.internals.ByteUtils;

/**
 * Reads the fields of a request and counts what they will cost on the heap, so that a frame of tiny elements (100 MB of empty
 * topic names would become gigabytes of objects) is refused half-way instead of exhausting the broker. Byte arrays and records
 * are free: they cost what they took on the wire, or nothing.
 *
 * <p>The costs are rough and on the low side; what matters is that they are proportional. Hot.
 */
final class BoundedReadable implements Readable {
    /**
     * Heap for the decoded fields of one request, in bytes by our rough count. 64 MiB is ten times what a fetch of 100 000
     * partitions needs.
     */
    static final int MAX_COST_BYTES = 64 << 20;

    private static final int SCALAR_COST_BYTES = 8;
    private static final int OBJECT_COST_BYTES = 56;

    private final ByteBuffer bytes;
    private int budgetBytes;
    private boolean handedOutSlices;

    BoundedReadable(ByteBuffer bytes) {
        this(bytes, MAX_COST_BYTES);
    }

    private BoundedReadable(ByteBuffer bytes, int budgetBytes) {
        this.bytes = bytes;
        this.budgetBytes = budgetBytes;
    }

    /** Whether anything that was read is a view of the bytes rather than a copy. */
    boolean handedOutSlices() {
        return handedOutSlices;
    }

    /**
     * What the generated readers compare the size of a collection with before they allocate it: no more elements than bytes
     * are left, and no more than the budget allows.
     */
    @Override
    public int remaining() {
        return Math.min(bytes.remaining(), budgetBytes / SCALAR_COST_BYTES);
    }

    @Override
    public byte readByte() {
        spend(SCALAR_COST_BYTES);
        return bytes.get();
    }

    @Override
    public short readShort() {
        spend(SCALAR_COST_BYTES);
        return bytes.getShort();
    }

    @Override
    public int readInt() {
        spend(SCALAR_COST_BYTES);
        return bytes.getInt();
    }

    @Override
    public long readLong() {
        spend(SCALAR_COST_BYTES);
        return bytes.getLong();
    }

    @Override
    public double readDouble() {
        spend(SCALAR_COST_BYTES);
        return bytes.getDouble();
    }

    @Override
    public int readUnsignedVarint() {
        spend(SCALAR_COST_BYTES);
        return ByteUtils.readUnsignedVarint(bytes);
    }

    @Override
    public int readVarint() {
        spend(SCALAR_COST_BYTES);
        return ByteUtils.readVarint(bytes);
    }

    @Override
    public long readVarlong() {
        spend(SCALAR_COST_BYTES);
        return ByteUtils.readVarlong(bytes);
    }

    @Override
    public byte[] readArray(int sizeBytes) {
        spend(OBJECT_COST_BYTES);
        requireRemaining(sizeBytes);
        byte[] array = new byte[sizeBytes];
        bytes.get(array);
        return array;
    }

    @Override
    public ByteBuffer readByteBuffer(int sizeBytes) {
        spend(OBJECT_COST_BYTES);
        requireRemaining(sizeBytes);
        handedOutSlices |= sizeBytes > 0;
        ByteBuffer slice = bytes.slice(bytes.position(), sizeBytes);
        bytes.position(bytes.position() + sizeBytes);
        return slice;
    }

    @Override
    public Readable slice() {
        return new BoundedReadable(bytes.slice(), budgetBytes);
    }

    private void requireRemaining(int sizeBytes) {
        if (sizeBytes < 0 || sizeBytes > bytes.remaining()) {
            throw new IllegalArgumentException(
                    "a field of " + sizeBytes + " bytes where " + bytes.remaining() + " are left");
        }
    }

    private void spend(int costBytes) {
        budgetBytes -= costBytes;
        if (budgetBytes < 0) {
            throw new IllegalArgumentException("more elements than one request may hold");
        }
    }
}
