package io.highwater.testkit;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.common.Uuid;

/** The id that all brokers of a cluster share. */
final class ClusterId {
    private ClusterId() {}

    /** The one in the directories, if they have been used before; else a new one. */
    static String of(List<TestBroker> brokers) {
        for (TestBroker broker : brokers) {
            Path file = broker.directory().resolve("meta.properties");
            if (Files.exists(file)) {
                return read(file);
            }
        }
        return Uuid.randomUuid().toString();
    }

    private static String read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Objects.requireNonNull(properties.getProperty("cluster.id"), () -> file + " has no cluster.id");
    }
}
