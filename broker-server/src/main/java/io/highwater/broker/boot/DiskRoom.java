package io.highwater.broker.boot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Whether there is room to start: what a start writes (identity, metadata log, checkpoints) must not stop half way. */
final class DiskRoom {
    /** Far more than a start writes; a disk with less is full for a broker. */
    static final long LEAST_BYTES = 1 << 20;

    private DiskRoom() {}

    /**
     * Looks at the disks of all directories, those that do not exist yet among them. Changes nothing.
     *
     * @throws StartRefusedException if one is full
     */
    static void check(Collection<Path> directories) {
        for (Path directory : directories) {
            String finding = finding(directory, LEAST_BYTES);
            if (finding != null) {
                throw new StartRefusedException(finding);
            }
        }
    }

    /** One sentence if there is less than that; null if there is room, or if it cannot be told: opening the directory says why. */
    static @Nullable String finding(Path directory, long leastBytes) {
        Path existing = directory.toAbsolutePath();
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (existing == null) {
            return null;
        }
        try {
            long usableBytes = Files.getFileStore(existing).getUsableSpace();
            return usableBytes >= leastBytes
                    ? null
                    : "the disk of log directory " + directory + " is full: " + usableBytes
                            + " bytes are free, a start needs " + leastBytes;
        } catch (IOException e) {
            return null;
        }
    }
}
