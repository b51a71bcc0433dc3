package io.highwater.broker.boot;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether, and why, a broker is to end. The first reason given counts. Any thread. */
public final class StopRequest {
    private static final Logger LOG = LoggerFactory.getLogger(StopRequest.class);

    private final CountDownLatch asked = new CountDownLatch(1);
    private boolean faulty;

    /** Somebody wants it to end. */
    public synchronized void bySignal() {
        if (asked.getCount() > 0) {
            LOG.info("asked to stop; a second signal forces it");
            asked.countDown();
        }
    }

    /** It cannot go on. */
    public synchronized void byFault(String sentence, @Nullable Throwable cause) {
        LOG.error("fatal: {}", sentence, cause);
        if (asked.getCount() > 0) {
            faulty = true;
            asked.countDown();
        }
    }

    /** Whether it is to end. */
    public boolean isAsked() {
        return asked.getCount() == 0;
    }

    /** 1 after a fault, else 0. */
    public synchronized int exitCode() {
        return faulty ? 1 : 0;
    }

    /** Returns when it is to end. */
    public void await() throws InterruptedException {
        asked.await();
    }
}
