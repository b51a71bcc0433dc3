package io.highwater.broker.boot;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The part of the command line that says how the broker is set: a file, single settings, or neither. */
final class SettingsOptions {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Kafka's server.properties; without one, a single node that listens on loopback")
    private @Nullable Path file;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "one setting; wins over the file, may be repeated")
    private Map<String, String> single = new LinkedHashMap<>();

    /**
     * All settings as text.
     *
     * @throws StartRefusedException if the file cannot be read
     */
    Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>(file == null ? SingleNode.SETTINGS : read(file));
        settings.putAll(single);
        return settings;
    }

    /** Where the settings come from, for people. */
    String origin() {
        return file == null ? "no file: a single node with defaults" : file.toAbsolutePath().toString();
    }

    private static Map<String, String> read(Path file) {
        // As Kafka does it: Latin-1 with escapes, not UTF-8.
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            properties.load(in);
        } catch (IOException | IllegalArgumentException e) {
            throw new StartRefusedException("cannot read the settings file " + file + ": " + Reason.of(e), e);
        }
        Map<String, String> settings = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> settings.put(name, properties.getProperty(name)));
        return settings;
    }
}
