package io.highwater.storage.log;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.kafka.common.InvalidRecordException;

/**
 * The records of one batch as a run of bytes, read once from front to back, whether they lie in a buffer or come out of a
 * decompressor. Running off the end is an {@link InvalidRecordException}. Hot: nothing is allocated while reading.
 */
abstract class RecordBytes {
    private static final int MAX_VARINT_SHIFT = 28;
    private static final int MAX_VARLONG_SHIFT = 63;
    private static final int COPY_CHUNK_BYTES = 8192;

    /** Bytes read or skipped so far. */
    long consumed;

    static RecordBytes of(ByteBuffer records) {
        return new InBuffer(records);
    }

    static RecordBytes of(InputStream records) {
        return new InStream(records);
    }

    /** The next byte, 0 to 255. */
    abstract int next() throws IOException;

    abstract void skip(int count) throws IOException;

    abstract void copyTo(OutputStream target, int count) throws IOException;

    abstract boolean atEnd() throws IOException;

    final int varint() throws IOException {
        int raw = 0;
        for (int shift = 0; shift <= MAX_VARINT_SHIFT; shift += 7) {
            int part = next();
            raw |= (part & 0x7f) << shift;
            if (part < 0x80) {
                return (raw >>> 1) ^ -(raw & 1);
            }
        }
        throw new InvalidRecordException("a variable-length int has more than five bytes");
    }

    final long varlong() throws IOException {
        long raw = 0;
        for (int shift = 0; shift <= MAX_VARLONG_SHIFT; shift += 7) {
            int part = next();
            raw |= (long) (part & 0x7f) << shift;
            if (part < 0x80) {
                return (raw >>> 1) ^ -(raw & 1);
            }
        }
        throw new InvalidRecordException("a variable-length long has more than ten bytes");
    }

    private static InvalidRecordException tooShort() {
        return new InvalidRecordException("the records end before their declared length");
    }

    private static final class InBuffer extends RecordBytes {
        private final ByteBuffer records;

        InBuffer(ByteBuffer records) {
            this.records = records;
        }

        @Override
        int next() {
            if (!records.hasRemaining()) {
                throw tooShort();
            }
            consumed++;
            return records.get() & 0xff;
        }

        @Override
        void skip(int count) {
            if (count > records.remaining()) {
                throw tooShort();
            }
            records.position(records.position() + count);
            consumed += count;
        }

        @Override
        void copyTo(OutputStream target, int count) throws IOException {
            if (count > records.remaining()) {
                throw tooShort();
            }
            byte[] chunk = new byte[Math.min(count, COPY_CHUNK_BYTES)];
            for (int left = count; left > 0; ) {
                int now = Math.min(left, chunk.length);
                records.get(chunk, 0, now);
                target.write(chunk, 0, now);
                left -= now;
            }
            consumed += count;
        }

        @Override
        boolean atEnd() {
            return !records.hasRemaining();
        }
    }

    private static final class InStream extends RecordBytes {
        private final InputStream records;

        InStream(InputStream records) {
            this.records = records;
        }

        @Override
        int next() throws IOException {
            int read = records.read();
            if (read < 0) {
                throw tooShort();
            }
            consumed++;
            return read;
        }

        @Override
        void skip(int count) throws IOException {
            int left = count;
            while (left > 0) {
                // A stream may skip less than asked, even nothing, before its end: a byte decides.
                long skipped = records.skip(left);
                if (skipped <= 0) {
                    next();
                    consumed--;
                    skipped = 1;
                }
                left -= (int) skipped;
            }
            consumed += count;
        }

        @Override
        void copyTo(OutputStream target, int count) throws IOException {
            byte[] chunk = new byte[Math.min(count, COPY_CHUNK_BYTES)];
            for (int left = count; left > 0; ) {
                int read = records.read(chunk, 0, Math.min(left, chunk.length));
                if (read < 0) {
                    throw tooShort();
                }
                target.write(chunk, 0, read);
                left -= read;
            }
            consumed += count;
        }

        @Override
        boolean atEnd() throws IOException {
            return records.read() < 0;
        }
    }
}
