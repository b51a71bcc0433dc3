package io.highwater.broker.boot;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.Logger;

/**
 * How the broker logs when nobody says otherwise: a line per event to the console, its own at INFO, the libraries' from WARN on. In code and
 * not in a file, since reading XML is a tenth of a start. Found by logback as a service; stands back unless {@link #useOwn} was called, so
 * that a broker inside another program logs as that program wants.
 */
public final class Logging extends ContextAwareBase implements Configurator {
    private static final String OWN = "highwater.logging";
    private static final String FILE = "logback.configurationFile";
    private static final String LEVEL = "highwater.log.level";

    /** Says at every attempt that a node is away; whoever calls says it once. */
    private static final String REPETITIVE = "org.apache.kafka.clients.NetworkClient";

    private static final String PATTERN = "%d{yyyy-MM-dd HH:mm:ss.SSS} %-5level %logger{0} - %msg%n%ex";

    /** Must come before the first logger. An operator's own logback file wins. */
    static void useOwn() {
        if (System.getProperty(FILE) == null) {
            System.setProperty(OWN, "true");
        }
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (!Boolean.getBoolean(OWN)) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setEncoder(encoder);
        console.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(console);
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
        context.getLogger(REPETITIVE).setLevel(Level.ERROR);
        context.getLogger("io.highwater").setLevel(Level.toLevel(System.getProperty(LEVEL), Level.INFO));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
