package io.highwater.broker.api.cluster;

/** Runs things later. */
@FunctionalInterface
public interface Delays {
    /** Runs the task once, on any thread, when that time has passed; not at all if the broker stops before. */
    void after(long delayMs, Runnable task);
}
