package io.highwater.broker.partition;

import io.highwater.broker.disk.DiskWorkers;
import io.highwater.storage.log.DiskErrands;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The errands of one log, one at a time, until the log ends: after {@link #end} none touches its files any more, so that its
 * directory can be renamed.
 */
final class LogErrands implements DiskErrands {
    private final DiskWorkers disk;
    private final Consumer<Throwable> onFailure;
    private final ReentrantLock running = new ReentrantLock();
    private volatile boolean ended;

    LogErrands(DiskWorkers disk, Consumer<Throwable> onFailure) {
        this.disk = disk;
        this.onFailure = onFailure;
    }

    @Override
    public void soon(String what, Errand errand) {
        var unused = disk.run(() -> run(errand));
    }

    @Override
    public void later(String what, long delayMs, Errand errand) {
        disk.after(delayMs, what, () -> run(errand));
    }

    /** Waits for the errand under way; those that wait come to nothing. */
    void end() {
        running.lock();
        try {
            ended = true;
        } finally {
            running.unlock();
        }
    }

    private void run(Errand errand) {
        running.lock();
        try {
            if (!ended) {
                errand.run();
            }
        } catch (IOException | RuntimeException e) {
            onFailure.accept(e);
        } finally {
            running.unlock();
        }
    }
}
