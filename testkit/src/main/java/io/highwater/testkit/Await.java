package io.highwater.testkit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what happens on other threads. */
final class Await {
    /** Far more than a healthy cluster needs. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Await() {}

    /**
     * Returns when the condition holds.
     *
     * @param failure what to say if it does not within {@code patience}
     * @throws AssertionError if it does not
     */
    static void until(BooleanSupplier condition, Duration patience, Supplier<String> failure) {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new AssertionError("not within " + patience.toMillis() + " ms: " + failure.get());
            }
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted: " + failure.get());
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
