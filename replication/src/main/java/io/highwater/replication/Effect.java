package io.highwater.replication;

/** Something a replica wants done in the world, as data. Performed after the transition that asked for it has returned. */
public interface Effect {
    /** Calls the one method of {@code performer} that is meant. */
    void performBy(EffectPerformer performer);
}
