package io.highwater.broker.partition;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Time as a test wants it, for clocks and for deadlines. */
public final class ManualClock implements Clock, Deadlines {
    private final Map<Deadline, Long> set = new LinkedHashMap<>();
    private long nowMs = 1_700_000_000_000L;

    @Override
    public synchronized long wallMs() {
        return nowMs;
    }

    @Override
    public synchronized long monotonicMs() {
        return nowMs;
    }

    @Override
    public synchronized void set(Deadline deadline, long delayMs) {
        if (set.putIfAbsent(deadline, nowMs + delayMs) != null) {
            throw new IllegalStateException("deadline is set already");
        }
    }

    @Override
    public synchronized void cancel(Deadline deadline) {
        set.remove(deadline);
    }

    /** How many deadlines are set. */
    public synchronized int pending() {
        return set.size();
    }

    /** Lets time pass. */
    public void advance(long ms) {
        List<Deadline> passed = new ArrayList<>();
        synchronized (this) {
            nowMs += ms;
            set.forEach((deadline, at) -> {
                if (at <= nowMs) {
                    passed.add(deadline);
                }
            });
            passed.forEach(set::remove);
        }
        passed.forEach(Deadline::onPassed);
    }
}
