package io.highwater.storage.log;

import io.highwater.storage.segment.Segment;
import java.io.IOException;

/** The batches of a segment cannot be read, because its index or they themselves are damaged. */
final class DamagedSegmentException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Segment segment;

    DamagedSegmentException(Segment segment, RuntimeException cause) {
        super("the batches of " + segment.path() + " cannot be read: " + cause.getMessage(), cause);
        this.segment = segment;
    }

    Segment segment() {
        return segment;
    }
}
