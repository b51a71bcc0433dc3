package io.highwater.storage.log;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;

/**
 * Walks the records of one batch without building them: the fields below are those of the record last begun. Hot.
 *
 * <p>The order for each record is {@link #begin} and then either {@link #finish} or {@link #copyRest}.
 */
final class RecordCursor {
    private final RecordBytes bytes;
    private long recordEnd;

    /** Bytes after the record's own length field. */
    int bodyBytes;

    int attributes;
    long timestampDelta;
    int offsetDelta;

    /** Known after {@link #finish}. */
    boolean hasKey;

    RecordCursor(RecordBytes bytes) {
        this.bytes = bytes;
    }

    /** Reads up to the record's offset; the declared length is checked against the bound before anything is read for it. */
    void begin(int maxBodyBytes) throws IOException {
        bodyBytes = bytes.varint();
        if (bodyBytes < 0) {
            throw new InvalidRecordException("a record has the negative length " + bodyBytes);
        }
        if (bodyBytes > maxBodyBytes) {
            throw new InvalidRecordException(
                    "a record of " + bodyBytes + " bytes is larger than the " + maxBodyBytes + " allowed");
        }
        recordEnd = bytes.consumed() + bodyBytes;
        attributes = bytes.next();
        timestampDelta = bytes.varlong();
        offsetDelta = bytes.varint();
    }

    /** Reads the rest of the record and checks that its parts fill exactly its declared length. */
    void finish() throws IOException {
        int keyBytes = bytes.varint();
        hasKey = keyBytes >= 0;
        skipField(keyBytes);
        skipField(bytes.varint());
        int headers = bytes.varint();
        if (headers < 0 || (headers > 0 && headers > recordEnd - bytes.consumed())) {
            throw new InvalidRecordException("a record declares " + headers + " headers");
        }
        for (int i = 0; i < headers; i++) {
            int headerKeyBytes = bytes.varint();
            if (headerKeyBytes < 0) {
                throw new InvalidRecordException("a record has a header without a key");
            }
            skipField(headerKeyBytes);
            skipField(bytes.varint());
        }
        if (bytes.consumed() != recordEnd) {
            throw new InvalidRecordException("the parts of a record do not add up to its length of " + bodyBytes);
        }
    }

    /** Copies what follows the record's offset. */
    void copyRest(OutputStream target) throws IOException {
        bytes.copyTo(target, (int) (recordEnd - bytes.consumed()));
    }

    /** Bytes of all records so far, inflated, with the batch's header. */
    long inflatedBytes() {
        return DefaultRecordBatch.RECORD_BATCH_OVERHEAD + bytes.consumed();
    }

    void expectEnd() throws IOException {
        if (!bytes.atEnd()) {
            throw new InvalidRecordException("bytes remain after the last record of the batch");
        }
    }

    private void skipField(int size) throws IOException {
        if (size > recordEnd - bytes.consumed()) {
            throw new InvalidRecordException("a part of a record is longer than the record");
        }
        if (size > 0) {
            bytes.skip(size);
        }
    }
}
