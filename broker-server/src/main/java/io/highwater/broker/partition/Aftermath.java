package io.highwater.broker.partition;

import io.highwater.replication.Effect;
import java.util.List;
import org.apache.kafka.common.protocol.Errors;

/**
 * What a transition under a partition's lock leaves to be done after the lock is released.
 *
 * @param progress whether readers may see more than before
 * @param roleChanged whether waiting readers have to look for themselves
 * @param settled writes (or, when the role was lost, everything) that need not wait any more
 * @param verdict what those are told
 * @param deleted deletions that all replicas have carried out
 * @param effects to perform
 */
record Aftermath(
        boolean progress,
        boolean roleChanged,
        List<AwaitedOffset> settled,
        Errors verdict,
        List<AwaitedOffset> deleted,
        List<Effect> effects) {
    static final Aftermath NOTHING = new Aftermath(false, false, List.of(), Errors.NONE, List.of(), List.of());

    /** Readers may see more than before, and that is all. */
    static final Aftermath PROGRESS = new Aftermath(true, false, List.of(), Errors.NONE, List.of(), List.of());

    /** A role has ended; {@code orphans} are told {@code verdict}. */
    static Aftermath ofLeaving(List<AwaitedOffset> orphans, Errors verdict) {
        return new Aftermath(false, true, orphans, verdict, List.of(), List.of());
    }

    Aftermath withRoleChanged() {
        return new Aftermath(progress, true, settled, verdict, deleted, effects);
    }
}
