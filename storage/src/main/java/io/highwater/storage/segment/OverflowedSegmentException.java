package io.highwater.storage.segment;

import java.io.IOException;

/** A segment holds an offset that is too far from its base for an index; very old releases of Kafka could write such. */
public final class OverflowedSegmentException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Segment segment;

    OverflowedSegmentException(Segment segment, long offset) {
        super("offset " + offset + " is too far from the base of " + segment.path());
        this.segment = segment;
    }

    public Segment segment() {
        return segment;
    }
}
