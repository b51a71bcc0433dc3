package io.highwater.broker.partition;

import io.highwater.storage.dir.DurableFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Copies a log's files to another directory in two steps: the segments that are full already while the log is still written, and what is
 * missing, has changed or is gone once it is closed. Blocks for the disks; one thread at a time, but anybody may ask how far it is.
 */
final class LogCopy {
    private static final String LOG_FILE = "\\d{20}\\.log";

    private final Path from;
    private final Path to;
    private volatile long copiedBytes;

    /** First offset that is not copied; exclusive. */
    private volatile long copiedTo;

    LogCopy(Path from, Path to) {
        this.from = from;
        this.to = to;
    }

    long copiedBytes() {
        return copiedBytes;
    }

    long copiedTo() {
        return copiedTo;
    }

    /** Copies every segment but the one that is written, as long as nobody says stop. */
    void copyFull(BooleanSupplier stop) throws IOException {
        List<String> logs = new ArrayList<>(new TreeSet<>(names(from, LOG_FILE)));
        long bytes = 0;
        for (int i = 0; i + 1 < logs.size() && !stop.getAsBoolean(); i++) {
            try {
                copy(logs.get(i));
                bytes += Files.size(to.resolve(logs.get(i)));
                copiedBytes = bytes;
                copiedTo = Long.parseLong(logs.get(i + 1).substring(0, 20));
            } catch (NoSuchFileException e) {
                // Retention was quicker: the second step takes away what the copy has too much.
                copiedTo = Long.parseLong(logs.get(i + 1).substring(0, 20));
            }
        }
    }

    /** Makes the copy the same as the log, which nobody writes any more, and safe from a crash. */
    void complete() throws IOException {
        Set<String> wanted = new HashSet<>(names(from, ".*"));
        for (String present : names(to, ".*")) {
            if (!wanted.contains(present)) {
                Files.delete(to.resolve(present));
            }
        }
        for (String name : wanted) {
            if (!name.matches(LOG_FILE) || !isSame(name)) {
                copy(name);
            }
        }
        DurableFiles.syncDirectory(to);
    }

    private boolean isSame(String name) throws IOException {
        Path source = from.resolve(name);
        Path target = to.resolve(name);
        return Files.exists(target)
                && Files.size(source) == Files.size(target)
                && Files.getLastModifiedTime(source).equals(Files.getLastModifiedTime(target));
    }

    /** The copy gets the time that the file had when copying began: if the file changes meanwhile, they will differ. */
    private void copy(String name) throws IOException {
        Path source = from.resolve(name);
        var changedAt = Files.getLastModifiedTime(source);
        try (FileChannel in = FileChannel.open(source, StandardOpenOption.READ);
                FileChannel out = FileChannel.open(
                        to.resolve(name),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            long size = in.size();
            long done = 0;
            while (done < size) {
                long more = in.transferTo(done, size - done, out);
                if (more == 0) {
                    break;
                }
                done += more;
            }
            out.force(true);
        }
        Files.setLastModifiedTime(to.resolve(name), changedAt);
    }

    private static Set<String> names(Path directory, String pattern) throws IOException {
        Set<String> names = new HashSet<>();
        try (Stream<Path> entries = Files.list(directory)) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                String name = entry.getFileName().toString();
                if (Files.isRegularFile(entry) && name.matches(pattern)) {
                    names.add(name);
                }
            }
        }
        return names;
    }
}
