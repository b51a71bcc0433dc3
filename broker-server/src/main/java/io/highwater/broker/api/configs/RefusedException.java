package io.highwater.broker.api.configs;

import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** Ends the work on one resource of a request with an error for it; the other resources go on. */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Errors error;

    RefusedException(Errors error, @Nullable String message) {
        super(message, null, false, false);
        this.error = error;
    }

    Errors error() {
        return error;
    }
}
