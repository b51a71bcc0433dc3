package io.highwater.storage.epoch;

import io.highwater.storage.dir.CheckpointText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The text of {@code leader-epoch-checkpoint}: version 0, count, then {@code epoch startOffset} in each line. */
final class LeaderEpochFile {
    private LeaderEpochFile() {}

    static List<LeaderEpoch> read(Path file) throws IOException {
        List<LeaderEpoch> epochs = new ArrayList<>();
        for (String line : CheckpointText.readLines(file)) {
            String[] parts = line.split(" ", -1);
            try {
                if (parts.length != 2) {
                    throw CheckpointText.badLine(file, line);
                }
                epochs.add(new LeaderEpoch(Integer.parseInt(parts[0]), Long.parseLong(parts[1])));
            } catch (IllegalArgumentException e) {
                throw CheckpointText.badLine(file, line);
            }
        }
        return epochs;
    }

    static String format(List<LeaderEpoch> epochs) {
        return CheckpointText.format(
                epochs, (text, entry) -> text.append(entry.epoch()).append(' ').append(entry.startOffset()));
    }
}
