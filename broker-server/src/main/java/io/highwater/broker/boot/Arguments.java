package io.highwater.broker.boot;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.InvalidSettingException;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What follows a command's name. A parser of our own, since a general one takes a tenth of a start.
 *
 * @param file {@code -c FILE}: Kafka's server.properties; null for a single node that listens on loopback
 * @param settings {@code --set NAME=VALUE}: win over the file
 * @param clusterId {@code -t ID}
 */
record Arguments(
        @Nullable Path file,
        Map<String, String> settings,
        @Nullable String clusterId) {

    /** The command line makes no sense; the message says why. */
    static final class WrongUsageException extends Exception {
        private static final long serialVersionUID = 1L;

        WrongUsageException(String sentence) {
            super(sentence);
        }
    }

    /**
     * Reads what stands behind the command.
     *
     * @param from where the first option is
     */
    static Arguments parse(String[] words, int from) throws WrongUsageException {
        Path file = null;
        String clusterId = null;
        Map<String, String> settings = new LinkedHashMap<>();
        for (int at = from; at < words.length; at += 2) {
            String option = words[at];
            switch (option) {
                case "-c", "--config" -> file = path(value(words, at));
                case "-t", "--cluster-id" -> clusterId = value(words, at);
                case "--set" -> set(settings, value(words, at));
                default ->
                    throw new WrongUsageException(
                            option.startsWith("-") ? "unknown option " + option : "what is " + option + "?");
            }
        }
        return new Arguments(file, settings, clusterId);
    }

    /**
     * The configuration, checked.
     *
     * @throws StartRefusedException if the file cannot be read or a setting is wrong
     */
    BrokerConfig config() {
        try {
            return BrokerConfig.load(file, settings);
        } catch (IOException e) {
            throw new StartRefusedException("cannot read the settings file " + file + ": " + Reason.of(e), e);
        } catch (InvalidSettingException e) {
            throw new StartRefusedException(Reason.of(e), e);
        }
    }

    /** Where the settings come from, for people. */
    String origin() {
        return (file == null
                        ? "no file: a single node on loopback"
                        : file.toAbsolutePath().normalize().toString())
                + (settings.isEmpty() ? "" : ", and " + settings.size() + " from the command line");
    }

    private static String value(String[] words, int at) throws WrongUsageException {
        if (at + 1 == words.length) {
            throw new WrongUsageException(words[at] + " needs a value");
        }
        return words[at + 1];
    }

    private static Path path(String text) throws WrongUsageException {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new WrongUsageException("no path: " + text);
        }
    }

    private static void set(Map<String, String> settings, String text) throws WrongUsageException {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new WrongUsageException("--set takes NAME=VALUE, not " + text);
        }
        settings.put(
                text.substring(0, equals).trim(), text.substring(equals + 1).trim());
    }
}
