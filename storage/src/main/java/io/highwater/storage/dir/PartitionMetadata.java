package io.highwater.storage.dir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** The file {@code partition.metadata}: which topic, by id, a partition directory belongs to. */
public final class PartitionMetadata {
    /** The file in the partition's directory. */
    public static final String FILE_NAME = "partition.metadata";

    private static final Pattern CONTENT = Pattern.compile("version: 0\\R+topic_id: (\\S+)\\s*");

    private PartitionMetadata() {}

    /**
     * The topic id of a partition directory.
     *
     * @return null if the file is missing, as after a crash right after creation
     * @throws IOException if it cannot be read, is damaged, or names the id that means no topic
     */
    public static @Nullable Uuid readTopicId(Path partitionDirectory) throws IOException {
        Path file = partitionDirectory.resolve(FILE_NAME);
        String text;
        try {
            text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            return null;
        }
        Matcher content = CONTENT.matcher(text);
        if (!content.matches()) {
            throw new IOException(file + " is not a partition's metadata");
        }
        try {
            Uuid topicId = Uuid.fromString(content.group(1));
            if (topicId.equals(Uuid.ZERO_UUID)) {
                throw new IOException(file + " names no topic");
            }
            return topicId;
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " has the topic id '" + content.group(1) + "'", e);
        }
    }

    /**
     * Writes the file, through a temporary file and fsync.
     *
     * @throws IOException if the disk failed
     */
    public static void write(Path partitionDirectory, Uuid topicId) throws IOException {
        DurableFiles.replace(partitionDirectory.resolve(FILE_NAME), "version: 0\ntopic_id: " + topicId);
    }
}
