package io.highwater.storage.log;

import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.internals.Crc32C;

/** One batch whose bytes are changed by hand; {@link #sealed} makes its checksum true again, as a hostile sender would. */
final class Tampered {
    static final int BATCH_LENGTH_AT = 8;
    static final int MAGIC_AT = 16;
    static final int CRC_AT = 17;
    static final int ATTRIBUTES_AT = 21;
    static final int LAST_OFFSET_DELTA_AT = 23;
    static final int MAX_TIMESTAMP_AT = 35;
    static final int BASE_SEQUENCE_AT = 53;
    static final int COUNT_AT = 57;
    static final int RECORDS_AT = 61;

    private final ByteBuffer bytes;

    private Tampered(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    static Tampered copyOf(MemoryRecords records) {
        ByteBuffer source = records.buffer();
        ByteBuffer copy = ByteBuffer.allocate(source.remaining());
        copy.put(source).flip();
        return new Tampered(copy);
    }

    /** A batch with the header of another and these bytes as its records. */
    static Tampered withBody(MemoryRecords header, byte[] body) {
        ByteBuffer bytes = ByteBuffer.allocate(RECORDS_AT + body.length);
        ByteBuffer source = header.buffer();
        bytes.put(source.slice(source.position(), RECORDS_AT)).put(body).flip();
        bytes.putInt(BATCH_LENGTH_AT, RECORDS_AT + body.length - 12);
        return new Tampered(bytes);
    }

    Tampered setByte(int at, int value) {
        bytes.put(at, (byte) value);
        return this;
    }

    Tampered setShort(int at, int value) {
        bytes.putShort(at, (short) value);
        return this;
    }

    Tampered setInt(int at, int value) {
        bytes.putInt(at, value);
        return this;
    }

    Tampered setLong(int at, long value) {
        bytes.putLong(at, value);
        return this;
    }

    MemoryRecords unsealed() {
        return MemoryRecords.readableRecords(bytes);
    }

    MemoryRecords sealed() {
        bytes.putInt(CRC_AT, (int) Crc32C.compute(bytes, ATTRIBUTES_AT, bytes.limit() - ATTRIBUTES_AT));
        return MemoryRecords.readableRecords(bytes);
    }
}
