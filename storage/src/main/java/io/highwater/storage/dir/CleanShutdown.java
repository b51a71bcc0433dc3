package io.highwater.storage.dir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The marker {@code .kafka_cleanshutdown}: the logs of this directory were closed in order and need no recovery.
 *
 * @param brokerEpoch of the registration that ended, told to the controller at the next one; -1 if the marker does not say
 */
public record CleanShutdown(long brokerEpoch) {
    static final String FILE_NAME = ".kafka_cleanshutdown";

    private static final long UNKNOWN = -1;
    private static final Pattern BROKER_EPOCH = Pattern.compile("\"brokerEpoch\"\\s*:\\s*(-?\\d{1,18})\\b");

    /** Reads the marker and removes it for good; null if there is none. */
    static @Nullable CleanShutdown take(Path directory) throws IOException {
        Path file = directory.resolve(FILE_NAME);
        String text;
        try {
            text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            return null;
        }
        Files.delete(file);
        DurableFiles.syncDirectory(directory);
        Matcher epoch = BROKER_EPOCH.matcher(text);
        return new CleanShutdown(epoch.find() ? Long.parseLong(epoch.group(1)) : UNKNOWN);
    }

    void write(Path directory) throws IOException {
        DurableFiles.replace(directory.resolve(FILE_NAME), "{\"version\":0,\"brokerEpoch\":" + brokerEpoch + "}");
    }
}
