package io.highwater.storage.producer;

import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * What a partition says to a batch because of what it knows about its producer.
 *
 * @param error {@link Errors#NONE} if the batch may be written, or is a duplicate
 * @param message one sentence about the refusal, null without one
 * @param duplicateOf where the same batch already lies, null if it does not: it is then not written, and answered with this
 */
public record ProducerVerdict(
        Errors error, @Nullable String message, @Nullable AppendedBatch duplicateOf) {
    /** Write it. */
    public static final ProducerVerdict ACCEPTED = new ProducerVerdict(Errors.NONE, null, null);

    static ProducerVerdict duplicate(AppendedBatch of) {
        return new ProducerVerdict(Errors.NONE, null, of);
    }

    static ProducerVerdict refused(Errors error, String message) {
        return new ProducerVerdict(error, message, null);
    }

    public boolean isRefused() {
        return error != Errors.NONE;
    }
}
