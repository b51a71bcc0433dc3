package io.highwater.broker.api.configs;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.slf4j.LoggerFactory;

/** The levels of this process's loggers, which are settings of the resource type BROKER_LOGGER. They last until the process ends. */
final class LogLevels {
    /** What Kafka calls the logger above all others. */
    private static final String ROOT = "root";

    private static final List<String> LEVELS = List.of("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL");

    private LogLevels() {}

    static void write(EntryWriter entries) {
        for (Logger logger : context().getLoggerList()) {
            String name = kafkaName(logger);
            if (entries.wants(name)) {
                String level = logger.getEffectiveLevel().toString();
                entries.add(
                        name,
                        null,
                        level,
                        false,
                        false,
                        null,
                        List.of(BrokerSources.synonym(name, level, ConfigSource.DYNAMIC_BROKER_LOGGER_CONFIG)));
            }
        }
    }

    /** Checks all changes, then makes them unless they are only to be validated. */
    static void change(AlterConfigsResource resource, boolean validateOnly) throws RefusedException {
        for (AlterableConfig config : resource.configs()) {
            check(config);
        }
        if (validateOnly) {
            return;
        }
        for (AlterableConfig config : resource.configs()) {
            boolean unset = config.configOperation() == OpType.DELETE.id();
            find(config.name()).setLevel(unset ? null : Level.valueOf(logbackName(config.value())));
        }
    }

    private static void check(AlterableConfig config) throws RefusedException {
        if (!exists(config.name())) {
            throw new RefusedException(Errors.INVALID_CONFIG, "there is no logger " + config.name());
        }
        OpType operation = OpType.forId(config.configOperation());
        if (operation == OpType.SET) {
            if (!LEVELS.contains(config.value().toUpperCase(Locale.ROOT))) {
                throw new RefusedException(
                        Errors.INVALID_CONFIG,
                        config.value() + " is not a level; allowed is " + String.join(", ", LEVELS));
            }
        } else if (operation == OpType.DELETE) {
            if (config.name().equals(ROOT)) {
                throw new RefusedException(Errors.INVALID_REQUEST, "the level of " + ROOT + " cannot be taken away");
            }
        } else {
            throw new RefusedException(Errors.INVALID_REQUEST, operation + " is not for the levels of loggers");
        }
    }

    private static boolean exists(String name) {
        return context().getLoggerList().stream()
                .anyMatch(logger -> kafkaName(logger).equals(name));
    }

    private static Logger find(String name) {
        return context().getLogger(name.equals(ROOT) ? org.slf4j.Logger.ROOT_LOGGER_NAME : name);
    }

    private static String kafkaName(Logger logger) {
        return logger.getName().equals(org.slf4j.Logger.ROOT_LOGGER_NAME) ? ROOT : logger.getName();
    }

    private static String logbackName(String level) {
        return level.equalsIgnoreCase("FATAL") ? "ERROR" : level;
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }
}
