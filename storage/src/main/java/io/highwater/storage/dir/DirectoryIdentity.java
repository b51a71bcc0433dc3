package io.highwater.storage.dir;

import io.highwater.storage.dir.DirectoryRefusedException.Reason;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * Whose data a log directory holds: the content of {@code meta.properties}, version 1.
 *
 * @param clusterId usually a UUID, but any text
 * @param nodeId of the broker or controller
 * @param directoryId of this very directory; null in directories older than Kafka 3.7, until the first start gives them one
 */
public record DirectoryIdentity(
        String clusterId, int nodeId, @Nullable Uuid directoryId) {
    /** The file in the log directory. */
    public static final String FILE_NAME = "meta.properties";

    private static final String VERSION = "version";
    private static final String CURRENT_VERSION = "1";
    private static final String CLUSTER_ID = "cluster.id";
    private static final String NODE_ID = "node.id";
    private static final String DIRECTORY_ID = "directory.id";

    /** Ids with a high half of 0 and a low half below this have a meaning of their own. */
    private static final long RESERVED_BELOW = 100;

    /** The same identity with a new random directory id if it has none. */
    public DirectoryIdentity withDirectoryId() {
        return directoryId != null ? this : new DirectoryIdentity(clusterId, nodeId, newDirectoryId());
    }

    /** A random id that is not reserved and does not look like an option on a command line. */
    public static Uuid newDirectoryId() {
        while (true) {
            Uuid id = Uuid.randomUuid();
            boolean reserved = id.getMostSignificantBits() == 0
                    && id.getLeastSignificantBits() >= 0
                    && id.getLeastSignificantBits() < RESERVED_BELOW;
            if (!reserved && !id.toString().startsWith("-")) {
                return id;
            }
        }
    }

    /**
     * Reads the identity of a directory.
     *
     * @return null if the directory is not formatted yet, or does not exist
     * @throws DirectoryRefusedException if the file is there and makes no sense
     */
    public static @Nullable DirectoryIdentity read(Path directory) throws DirectoryRefusedException {
        Properties properties = new Properties();
        Path file = directory.resolve(FILE_NAME);
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException | IllegalArgumentException e) {
            throw new DirectoryRefusedException(
                    Reason.BAD_IDENTITY, directory, file + " cannot be read: " + e.getMessage(), e);
        }
        String version = properties.getProperty(VERSION, "0");
        if (!version.equals(CURRENT_VERSION)) {
            throw bad(directory, file + " has version " + version + ", only " + CURRENT_VERSION + " can be used");
        }
        String directoryId = properties.getProperty(DIRECTORY_ID);
        return new DirectoryIdentity(
                required(directory, properties, CLUSTER_ID),
                number(directory, required(directory, properties, NODE_ID)),
                directoryId == null ? null : uuid(directory, directoryId));
    }

    /**
     * Writes the identity into a directory, through a temporary file and fsync.
     *
     * @throws IOException if the disk failed
     */
    public void write(Path directory) throws IOException {
        Properties properties = new Properties();
        properties.setProperty(VERSION, CURRENT_VERSION);
        properties.setProperty(CLUSTER_ID, clusterId);
        properties.setProperty(NODE_ID, Integer.toString(nodeId));
        if (directoryId != null) {
            properties.setProperty(DIRECTORY_ID, directoryId.toString());
        }
        StringWriter text = new StringWriter();
        properties.store(text, "");
        DurableFiles.replace(directory.resolve(FILE_NAME), text.toString());
    }

    private static String required(Path directory, Properties properties, String name)
            throws DirectoryRefusedException {
        String value = properties.getProperty(name);
        if (value == null) {
            throw bad(directory, directory.resolve(FILE_NAME) + " has no " + name);
        }
        return value;
    }

    private static int number(Path directory, String value) throws DirectoryRefusedException {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw bad(directory, directory.resolve(FILE_NAME) + " has the " + NODE_ID + " '" + value + "'");
        }
    }

    private static Uuid uuid(Path directory, String value) throws DirectoryRefusedException {
        try {
            return Uuid.fromString(value);
        } catch (IllegalArgumentException e) {
            throw bad(directory, directory.resolve(FILE_NAME) + " has the " + DIRECTORY_ID + " '" + value + "'");
        }
    }

    private static DirectoryRefusedException bad(Path directory, String sentence) {
        return new DirectoryRefusedException(Reason.BAD_IDENTITY, directory, sentence);
    }
}
