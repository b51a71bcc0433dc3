package io.highwater.broker.view;

import io.highwater.broker.journal.IsrChange;
import org.jspecify.annotations.Nullable;

/**
 * Whose comings and goings are asked for.
 *
 * @param partition of one partition only; null for all
 * @param broker of one broker only; -1 for all
 */
public record IsrFilter(@Nullable PartitionName partition, int broker) {
    boolean accepts(IsrChange change) {
        return (broker < 0 || broker == change.broker())
                && (partition == null
                        || (partition.topic().equals(change.topic()) && partition.partition() == change.partition()));
    }
}
