package io.highwater.broker.boot;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.InvalidSettingException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The part of the command line that says how the broker is set: a file, single settings, or neither. */
final class SettingsOptions {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Kafka's server.properties; without one, a single node that listens on loopback.")
    private @Nullable Path file;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "One setting; wins over the file, may be repeated.")
    private Map<String, String> single = new LinkedHashMap<>();

    /**
     * The configuration, checked.
     *
     * @throws StartRefusedException if the file cannot be read or a setting is wrong
     */
    BrokerConfig read() {
        try {
            return BrokerConfig.load(file, single);
        } catch (IOException e) {
            throw new StartRefusedException("cannot read the settings file " + file + ": " + Reason.of(e), e);
        } catch (InvalidSettingException e) {
            throw new StartRefusedException(Reason.of(e), e);
        }
    }

    /** Where the settings come from, for people. */
    String origin() {
        return file == null
                ? "none: a single node on loopback"
                : file.toAbsolutePath().normalize().toString();
    }
}
