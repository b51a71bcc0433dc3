package io.highwater.broker.api;

import org.apache.kafka.common.protocol.Errors;

/**
 * What happened to a request cannot be said in an answer: its connection has to be closed, with the message in the log line. Not
 * for our own mistakes, which are answered.
 */
public final class UnanswerableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Errors error;

    /**
     * Costs no stack.
     *
     * @param error what an answer would have said
     */
    public UnanswerableException(Errors error, String message) {
        super(message, null, false, false);
        this.error = error;
    }

    /** What an answer would have said. */
    public Errors error() {
        return error;
    }
}
