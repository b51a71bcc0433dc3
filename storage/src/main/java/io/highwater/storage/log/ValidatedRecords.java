package io.highwater.storage.log;

import java.util.List;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** What {@link BatchValidator} found: a batch ready for the log, or the reason why there is none. */
public final class ValidatedRecords {
    private final @Nullable PreparedBatch batch;
    private final Errors error;
    private final @Nullable String message;
    private final List<BadRecord> badRecords;

    private ValidatedRecords(
            @Nullable PreparedBatch batch, Errors error, @Nullable String message, List<BadRecord> badRecords) {
        this.batch = batch;
        this.error = error;
        this.message = message;
        this.badRecords = badRecords;
    }

    /**
     * A record that made its batch be refused.
     *
     * @param index place in the batch, from 0
     * @param message what is wrong with it, for the producer's eyes
     */
    public record BadRecord(int index, String message) {}

    static ValidatedRecords accepted(PreparedBatch batch) {
        return new ValidatedRecords(batch, Errors.NONE, null, List.of());
    }

    static ValidatedRecords refused(Errors error, String message) {
        return new ValidatedRecords(null, error, message, List.of());
    }

    static ValidatedRecords refused(Errors error, String message, List<BadRecord> badRecords) {
        return new ValidatedRecords(null, error, message, List.copyOf(badRecords));
    }

    public boolean isRefused() {
        return batch == null;
    }

    /** {@link Errors#NONE} unless refused. */
    public Errors error() {
        return error;
    }

    /** One sentence about the refusal; null unless refused. */
    public @Nullable String message() {
        return message;
    }

    /** The offending records, if single records were the reason; at most {@link BatchValidator#BAD_RECORDS_MAX} of them. */
    public List<BadRecord> badRecords() {
        return badRecords;
    }

    /**
     * The batch to append.
     *
     * @throws IllegalStateException if refused
     */
    public PreparedBatch batch() {
        if (batch == null) {
            throw new IllegalStateException("no batch: refused with " + error + ", " + message);
        }
        return batch;
    }
}
