package io.highwater.storage.dir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;

/** The frame all of Kafka's text checkpoints share: a line with the version 0, a line with the count, one line per entry. */
public final class CheckpointText {
    private static final String VERSION = "0";

    private CheckpointText() {}

    /**
     * The entry lines of a checkpoint; none if the file is missing, empty, or ends after its version.
     *
     * @throws IOException if it cannot be read, has another version, or does not hold as many entries as it says
     */
    public static List<String> readLines(Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            String version = reader.readLine();
            if (version == null) {
                return List.of();
            }
            if (!version.equals(VERSION)) {
                throw new IOException(file + " has version '" + version + "', not " + VERSION);
            }
            String count = reader.readLine();
            return count == null ? List.of() : readEntries(file, reader, count);
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (MalformedInputException e) {
            throw new IOException(file + " is not text", e);
        }
    }

    /** The whole text of a checkpoint; the writer appends one entry without its line end. */
    public static <T> String format(Collection<T> entries, BiConsumer<StringBuilder, T> writer) {
        StringBuilder text =
                new StringBuilder(VERSION).append('\n').append(entries.size()).append('\n');
        for (T entry : entries) {
            writer.accept(text, entry);
            text.append('\n');
        }
        return text.toString();
    }

    /** The failure to throw for an entry that does not parse. */
    public static IOException badLine(Path file, String line) {
        return new IOException(file + " has a line that makes no sense: '" + line + "'");
    }

    private static List<String> readEntries(Path file, BufferedReader reader, String count) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            lines.add(line);
        }
        if (!count.equals(Integer.toString(lines.size()))) {
            throw new IOException(file + " declares '" + count + "' entries and holds " + lines.size());
        }
        return lines;
    }
}
