package io.highwater.wire.frame;

/**
 * What a client sent cannot be answered: its connection has to be closed, and the message says why in words that make sense
 * in a log line after the client's address.
 */
public final class FrameException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What is wrong with the frame. */
    public enum Reason {
        /** The length in front of the frame is negative, too small for a header, or beyond the limit. */
        BAD_LENGTH,
        /** No such API, or one that this listener does not answer. */
        UNKNOWN_API,
        /** A known API in a version that this listener does not answer. */
        UNSUPPORTED_VERSION,
        /** The bytes do not form the message that the header announces. */
        MALFORMED
    }

    private final Reason reason;

    FrameException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    FrameException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** What is wrong with the frame. */
    public Reason reason() {
        return reason;
    }
}
