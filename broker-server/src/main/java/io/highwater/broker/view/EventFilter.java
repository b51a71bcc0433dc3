package io.highwater.broker.view;

import io.highwater.broker.journal.JournalEntry;
import org.jspecify.annotations.Nullable;

/**
 * Which events are asked for.
 *
 * @param partition of one partition only; null for all
 * @param kind name of a {@link io.highwater.broker.journal.JournalEntry.Kind}; null for all
 * @param sinceNumber of the journal's events: this one and later ones; -1 for the newest ones
 * @param sinceWallMs not before that, in milliseconds since 1970; 0 for all
 * @param limit at most so many
 */
public record EventFilter(
        @Nullable PartitionName partition, @Nullable String kind, long sinceNumber, long sinceWallMs, int limit) {
    /** Nobody gets more at once. */
    public static final int MOST = 2_000;

    /** Of all kinds and partitions. */
    public static EventFilter since(long number, int limit) {
        return new EventFilter(null, null, number, 0, limit);
    }

    /** The same with another place to begin. */
    public EventFilter from(long number) {
        return new EventFilter(partition, kind, number, sinceWallMs, limit);
    }

    boolean accepts(JournalEntry entry) {
        return entry.wallMs() >= sinceWallMs
                && (kind == null || kind.equals(entry.kind().name()))
                && (partition == null || partition.asKafkas().equals(entry.partition()));
    }
}
