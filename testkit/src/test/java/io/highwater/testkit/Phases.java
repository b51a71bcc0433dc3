package io.highwater.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/** When the steps of a cluster's start were taken, by what its brokers log. One cluster at a time. */
final class Phases extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private static final String QUORUM = "org.apache.kafka.raft.QuorumState";
    private static final String SESSION = "io.highwater.controlplane.BrokerSession";

    private final Map<String, Long> atNanos = new LinkedHashMap<>();
    private final Map<Logger, Level> levels = new LinkedHashMap<>();
    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final long startCpuNanos = system.getProcessCpuTime();
    private final long startNanos = System.nanoTime();
    private long cpuNanos;

    /** From now on. */
    Phases() {
        for (String name : List.of(QUORUM, SESSION)) {
            Logger logger = (Logger) LoggerFactory.getLogger(name);
            levels.put(logger, logger.getLevel());
            logger.setLevel(Level.INFO);
            logger.setAdditive(false);
            logger.addAppender(this);
        }
        setContext(levels.keySet().iterator().next().getLoggerContext());
        start();
    }

    @Override
    protected void append(ILoggingEvent event) {
        String message = event.getFormattedMessage();
        if (message.contains("Completed transition to Unattached") && message.endsWith("from null")) {
            reached("built"); // the last of the three
        } else if (message.contains("Completed transition to Leader")) {
            reached("elected");
        } else if (message.startsWith("registered broker")) {
            reached("registered");
        } else if (message.endsWith("is unfenced")) {
            reached("unfenced");
        }
    }

    /** A step was taken; of several with one name the last counts. */
    synchronized void reached(String step) {
        atNanos.remove(step);
        atNanos.put(step, System.nanoTime() - startNanos);
        cpuNanos = system.getProcessCpuTime() - startCpuNanos;
    }

    synchronized long ms(String step) {
        return TimeUnit.NANOSECONDS.toMillis(atNanos.getOrDefault(step, -1L));
    }

    /** All steps in their order, each with the milliseconds from the start. */
    @Override
    public synchronized String toString() {
        return atNanos.entrySet().stream()
                .map(step -> String.format(
                        Locale.ROOT, "%s %d", step.getKey(), TimeUnit.NANOSECONDS.toMillis(step.getValue())))
                .collect(Collectors.joining(
                        ", ",
                        "",
                        String.format(
                                Locale.ROOT,
                                " (CPU %d; load %.1f)",
                                TimeUnit.NANOSECONDS.toMillis(cpuNanos),
                                system.getSystemLoadAverage())));
    }

    @Override
    public void close() {
        levels.forEach((logger, level) -> {
            logger.detachAppender(this);
            logger.setAdditive(false);
            logger.setLevel(level);
        });
        stop();
    }
}
