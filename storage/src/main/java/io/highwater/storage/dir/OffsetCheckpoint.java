package io.highwater.storage.dir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One of the files that keep an offset for each partition of a log directory. Safe from any thread; blocking. */
public final class OffsetCheckpoint {
    private static final Logger LOG = LoggerFactory.getLogger(OffsetCheckpoint.class);

    private final Path file;

    OffsetCheckpoint(Path file) {
        this.file = file;
    }

    /**
     * All entries; none if the file does not exist.
     *
     * @throws IOException if it cannot be read or is damaged, with the offending line
     */
    public synchronized Map<TopicPartition, Long> read() throws IOException {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        for (String line : CheckpointText.readLines(file)) {
            String[] parts = line.split("\\s+", -1);
            try {
                if (parts.length != 3) {
                    throw CheckpointText.badLine(file, line);
                }
                offsets.put(new TopicPartition(parts[0], Integer.parseInt(parts[1])), Long.parseLong(parts[2]));
            } catch (NumberFormatException e) {
                throw CheckpointText.badLine(file, line);
            }
        }
        return offsets;
    }

    /**
     * All entries, or none with a warning if the file is damaged: for offsets that only save work, where 0 is always right.
     */
    public Map<TopicPartition, Long> readOrEmpty() {
        try {
            return read();
        } catch (IOException e) {
            LOG.warn("{}; its offsets are taken as 0", e.getMessage());
            return Map.of();
        }
    }

    /**
     * Replaces all entries, through a temporary file and fsync.
     *
     * @throws IOException if the disk failed; the file is then the old one or the new one
     */
    public synchronized void write(Map<TopicPartition, Long> offsets) throws IOException {
        DurableFiles.replace(
                file,
                CheckpointText.format(
                        offsets.entrySet(),
                        (text, entry) -> text.append(entry.getKey().topic())
                                .append(' ')
                                .append(entry.getKey().partition())
                                .append(' ')
                                .append(entry.getValue().longValue())));
    }
}
