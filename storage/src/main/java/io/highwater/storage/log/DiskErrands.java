package io.highwater.storage.log;

import java.io.IOException;

/** Where a log leaves work for the disk that nobody has to wait for; whoever owns the disk workers implements it. */
public interface DiskErrands {
    /** Something to do on a disk worker, without the partition's lock. */
    @FunctionalInterface
    interface Errand {
        /** Does it; a failure means that the log directory fails. */
        void run() throws IOException;
    }

    /**
     * Runs {@code errand} on a disk worker.
     *
     * @param what a few words for log lines
     */
    void soon(String what, Errand errand);

    /**
     * Runs {@code errand} on a disk worker after a while; at a stop it may be left undone.
     *
     * @param what a few words for log lines
     */
    void later(String what, long delayMs, Errand errand);
}
