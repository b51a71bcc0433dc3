package io.highwater.controlplane;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.server.fault.FaultHandler;
import org.apache.kafka.server.fault.FaultHandlerException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What happens when the library meets something it cannot handle. */
final class Faults {
    private static final Logger LOG = LoggerFactory.getLogger(Faults.class);

    private final FatalFaults boot;
    private final AtomicBoolean told = new AtomicBoolean();
    private final LongAdder survived = new LongAdder();
    private volatile Runnable onSurvived = () -> {};
    private volatile Runnable stopQuorum = () -> {};

    Faults(FatalFaults boot) {
        this.boot = boot;
    }

    /** What must end at once on a fatal fault, lest the library elect itself again for ever. */
    void onFatal(Runnable stop) {
        stopQuorum = stop;
    }

    /** Told of each fault that the rest survives. */
    void onSurvived(Runnable hearer) {
        onSurvived = hearer;
    }

    /** How many there were. */
    long survived() {
        return survived.sum();
    }

    /** From here on the control plane stops, and what the library then stumbles over is no news. */
    void expectNone() {
        told.set(true);
    }

    /** Ends the control plane. */
    FaultHandler fatal(String where) {
        return (message, cause) -> {
            String sentence = sentence(where, message, cause);
            if (told.compareAndSet(false, true)) {
                LOG.error("{}; the control plane cannot go on", sentence, cause);
                stopQuorum.run();
                boot.onFatalFault(sentence, cause);
            } else {
                LOG.debug("{}", sentence, cause);
            }
            return new FaultHandlerException(sentence, cause);
        };
    }

    /** Is logged, and the rest goes on. */
    FaultHandler survivable(String where) {
        return (message, cause) -> {
            String sentence = sentence(where, message, cause);
            if (told.get()) {
                LOG.debug("{}", sentence, cause); // what follows from a fatal fault or from the stop
            } else {
                LOG.error("{}", sentence, cause);
                survived.increment();
                onSurvived.run();
            }
            return new FaultHandlerException(sentence, cause);
        };
    }

    private static String sentence(String where, String message, @Nullable Throwable cause) {
        return where + ": " + message + (cause == null ? "" : " (" + cause + ")");
    }
}
