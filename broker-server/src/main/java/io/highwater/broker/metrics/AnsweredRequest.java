package io.highwater.broker.metrics;

import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/** A request whose answer is known, as far as it is counted. All times are {@link System#nanoTime()}. */
public interface AnsweredRequest {
    /** What it asked for. */
    ApiKeys api();

    /** The version it was written in. */
    short version();

    /** Its message. */
    ApiMessage body();

    /** Its answer, null if it gets none. */
    @Nullable
    ApiMessage answer();

    /** When its last byte was read. */
    long arrivalNanos();

    /** When its handler returned. */
    long handledNanos();

    /** When its answer was known. */
    long answeredNanos();
}
