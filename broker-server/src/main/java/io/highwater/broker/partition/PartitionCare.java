package io.highwater.broker.partition;

import io.highwater.storage.log.LogSettings;
import io.highwater.storage.log.PartitionLog;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/** What a replica's log needs beside requests: new settings, retention, flushes, forgetting, and in the end to be closed. For disk workers. */
final class PartitionCare {
    private final PartitionLog log;
    private final PartitionMonitor monitor;
    private final Clock clock;
    private final LogErrands errands;

    PartitionCare(PartitionLog log, PartitionMonitor monitor, Clock clock, LogErrands errands) {
        this.log = log;
        this.monitor = monitor;
        this.clock = clock;
        this.errands = errands;
    }

    /** See {@link Partition#updateSettings}. */
    void updateSettings(LogSettings settings, ReplicaPatience patience) {
        monitor.change(nowMs -> {
            log.updateSettings(settings);
            return monitor.role().onSettings(patience.with(settings), nowMs);
        });
    }

    /** See {@link Partition#retain}. */
    int retain() throws IOException {
        Aftermath aftermath;
        int segments;
        ReentrantLock lock = monitor.lock();
        lock.lock();
        try {
            segments = log.retain(clock.wallMs(), monitor.role().highWatermark());
            aftermath = segments == 0 ? Aftermath.NOTHING : monitor.role().onLogStartRaised();
        } finally {
            lock.unlock();
        }
        monitor.perform(aftermath);
        return segments;
    }

    /** See {@link Partition#flushIfDue}. */
    boolean isFlushDue() {
        return log.isFlushDue(clock.wallMs());
    }

    /** See {@link Partition#expireProducers}. */
    void expireProducers() {
        monitor.change(nowMs -> {
            log.removeExpiredProducers(clock.wallMs());
            return Aftermath.NOTHING;
        });
    }

    /** See {@link Partition#close}. */
    void close() throws IOException {
        errands.end();
        ReentrantLock lock = monitor.lock();
        lock.lock();
        try {
            log.close();
        } finally {
            lock.unlock();
        }
    }

    /** See {@link Partition#abandon}. */
    void abandon() {
        errands.end();
        monitor.change(nowMs -> {
            log.abandon();
            return Aftermath.NOTHING;
        });
    }
}
