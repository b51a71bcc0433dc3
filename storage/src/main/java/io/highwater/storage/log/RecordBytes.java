package io.highwater.storage.log;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.kafka.common.InvalidRecordException;

/**
 * The records of one batch as a run of bytes, read once from front to back, whether they lie in a buffer or come out of a
 * decompressor. Running off the end is an {@link InvalidRecordException}. Hot: nothing is allocated while reading.
 */
abstract class RecordBytes implements Closeable {
    private static final int MAX_VARINT_SHIFT = 28;
    private static final int MAX_VARLONG_SHIFT = 63;
    private static final int COPY_CHUNK_BYTES = 8192;

    static RecordBytes of(ByteBuffer records) {
        return new InBuffer(records);
    }

    /** Takes what a decompressor gives; the array is its own until closed. */
    static RecordBytes of(InputStream records, byte[] readAhead) {
        return new InStream(records, readAhead);
    }

    /** Bytes read or skipped so far. */
    abstract long consumed();

    /** The next byte, 0 to 255. */
    abstract int next() throws IOException;

    abstract void skip(int count) throws IOException;

    abstract void copyTo(OutputStream target, int count) throws IOException;

    abstract boolean atEnd() throws IOException;

    /** Gives the decompressor's memory back. */
    @Override
    public abstract void close() throws IOException;

    final int varint() throws IOException {
        int part = next();
        if (part < 0x80) {
            return (part >>> 1) ^ -(part & 1); // the usual case: lengths and deltas below 64
        }
        int raw = part & 0x7f;
        for (int shift = 7; shift <= MAX_VARINT_SHIFT; shift += 7) {
            part = next();
            raw |= (part & 0x7f) << shift;
            if (part < 0x80) {
                return (raw >>> 1) ^ -(raw & 1);
            }
        }
        throw new InvalidRecordException("a variable-length int has more than five bytes");
    }

    final long varlong() throws IOException {
        int part = next();
        if (part < 0x80) {
            return (long) (part >>> 1) ^ -(long) (part & 1);
        }
        long raw = part & 0x7f;
        for (int shift = 7; shift <= MAX_VARLONG_SHIFT; shift += 7) {
            part = next();
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
        private final int start;
        private final int end;
        private int at;

        InBuffer(ByteBuffer records) {
            this.records = records;
            this.start = records.position();
            this.end = records.limit();
            this.at = start;
        }

        @Override
        long consumed() {
            return (long) at - start;
        }

        @Override
        int next() {
            if (at == end) {
                throw tooShort();
            }
            return records.get(at++) & 0xff;
        }

        @Override
        void skip(int count) {
            if (count > end - at) {
                throw tooShort();
            }
            at += count;
        }

        @Override
        void copyTo(OutputStream target, int count) throws IOException {
            if (count > end - at) {
                throw tooShort();
            }
            byte[] chunk = new byte[Math.min(count, COPY_CHUNK_BYTES)];
            for (int left = count; left > 0; ) {
                int now = Math.min(left, chunk.length);
                records.get(at, chunk, 0, now);
                target.write(chunk, 0, now);
                at += now;
                left -= now;
            }
        }

        @Override
        boolean atEnd() {
            return at == end;
        }

        @Override
        public void close() {}
    }

    /** Reads ahead in pieces: asking a decompressor for single bytes costs more than the bytes. */
    private static final class InStream extends RecordBytes {
        private final InputStream records;
        private final byte[] ahead;
        private int at;
        private int end;

        /** Bytes taken from the stream before those in {@link #ahead}. */
        private long before;

        InStream(InputStream records, byte[] ahead) {
            this.records = records;
            this.ahead = ahead;
        }

        @Override
        long consumed() {
            return before + at;
        }

        @Override
        int next() throws IOException {
            if (at == end && !refill()) {
                throw tooShort();
            }
            return ahead[at++] & 0xff;
        }

        @Override
        void skip(int count) throws IOException {
            int left = count - takeAhead(count);
            while (left > 0) {
                // A stream may skip less than asked, even nothing, before its end: a byte decides.
                long skipped = records.skip(left);
                if (skipped <= 0) {
                    if (records.read() < 0) {
                        throw tooShort();
                    }
                    skipped = 1;
                }
                before += skipped;
                left -= (int) skipped;
            }
        }

        @Override
        void copyTo(OutputStream target, int count) throws IOException {
            for (int left = count; left > 0; ) {
                if (at == end && !refill()) {
                    throw tooShort();
                }
                int from = at;
                int now = takeAhead(left);
                target.write(ahead, from, now);
                left -= now;
            }
        }

        @Override
        boolean atEnd() throws IOException {
            return at == end && !refill();
        }

        @Override
        public void close() throws IOException {
            records.close();
        }

        private int takeAhead(int most) {
            int taken = Math.min(most, end - at);
            at += taken;
            return taken;
        }

        private boolean refill() throws IOException {
            before += at;
            at = 0;
            end = 0;
            int read = records.read(ahead, 0, ahead.length);
            while (read == 0) {
                read = records.read(ahead, 0, ahead.length);
            }
            end = Math.max(0, read);
            return read > 0;
        }
    }
}
