package io.highwater.broker.net;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.Collections;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What one logger said since this was made. */
final class LogLines implements AutoCloseable {
    private final Logger logger;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    LogLines(String name) {
        logger = (Logger) LoggerFactory.getLogger(name);
        appender.list = Collections.synchronizedList(appender.list);
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
    }

    List<String> lines() {
        return List.copyOf(appender.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
    }
}
