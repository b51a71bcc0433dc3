package io.highwater.broker.partition;

import java.util.concurrent.TimeUnit;

/** The two times a partition needs; one object so that a test can hold both still. Any thread. */
public interface Clock {
    /** The machine's clocks. */
    Clock SYSTEM = new Clock() {
        @Override
        public long wallMs() {
            return System.currentTimeMillis();
        }

        @Override
        public long monotonicMs() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        }
    };

    /** Milliseconds since 1970: what records are stamped and kept by. May jump. */
    long wallMs();

    /** Milliseconds since some moment: for measuring how long something lasts. Never goes back. */
    long monotonicMs();
}
