package io.highwater.broker.http;

import io.highwater.broker.view.EventCursor;
import org.jspecify.annotations.Nullable;

/**
 * From where on events are told.
 *
 * @param cursor where an answer before has ended; null to begin
 * @param wallMs not before that, in milliseconds since 1970; 0 for the newest
 */
record Since(@Nullable EventCursor cursor, long wallMs) {
    /** The newest. */
    static final Since NEWEST = new Since(null, 0);

    /** Whether the oldest that were not told come first, and not the newest. */
    boolean isForward() {
        return cursor != null || wallMs > 0;
    }
}
