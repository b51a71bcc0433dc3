package io.highwater.broker.partition;

import java.util.Arrays;

/**
 * Bytes per second over the last windows: the oldest is forgotten as a whole when a new one begins. As Kafka's simple rate does it, a rate is
 * taken over the time since the oldest window began, and over one window at least. Any thread, under its monitor.
 */
final class WindowedRate {
    private final long windowMs;
    private final Clock clock;
    private final long[] bytes;

    /** When each window began (monotonic). Those that have never begun are older than anything. */
    private final long[] beganMs;

    private int current;

    WindowedRate(int windows, long windowMs, Clock clock) {
        this.windowMs = windowMs;
        this.clock = clock;
        this.bytes = new long[windows];
        this.beganMs = new long[windows];
        long nowMs = clock.monotonicMs();
        Arrays.fill(beganMs, nowMs - (windows + 1) * windowMs);
        beganMs[0] = nowMs;
    }

    synchronized void record(long more) {
        long nowMs = clock.monotonicMs();
        if (nowMs - beganMs[current] >= windowMs) {
            current = (current + 1) % bytes.length;
            bytes[current] = 0;
            beganMs[current] = nowMs;
        }
        bytes[current] += more;
    }

    synchronized double bytesPerSecond() {
        long nowMs = clock.monotonicMs();
        long sum = 0;
        long oldestMs = nowMs;
        for (int i = 0; i < bytes.length; i++) {
            if (nowMs - beganMs[i] < bytes.length * windowMs) {
                sum += bytes[i];
                oldestMs = Math.min(oldestMs, beganMs[i]);
            }
        }
        return sum * 1000.0 / Math.max(windowMs, nowMs - oldestMs);
    }
}
