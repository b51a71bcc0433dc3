package io.highwater.storage.producer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The snapshot files of one partition directory, named after the first offset they do not cover. */
final class SnapshotFiles {
    private static final String SUFFIX = ".snapshot";
    private static final String DELETED_SUFFIX = ".deleted";
    private static final Pattern NAME = Pattern.compile("(\\d{20})\\.snapshot");

    private Path directory;
    private final TreeSet<Long> offsets = new TreeSet<>();

    SnapshotFiles(Path directory) throws IOException {
        this.directory = directory;
        rescan();
    }

    void rescan() throws IOException {
        offsets.clear();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Matcher name = NAME.matcher(file.getFileName().toString());
                if (name.matches()) {
                    offsets.add(Long.parseLong(name.group(1)));
                }
            }
        }
    }

    void moveTo(Path newDirectory) {
        directory = newDirectory;
    }

    Path file(long offset) {
        return directory.resolve(String.format("%020d", offset) + SUFFIX);
    }

    void added(long offset) {
        offsets.add(offset);
    }

    @Nullable
    Long newest() {
        return offsets.isEmpty() ? null : offsets.last();
    }

    @Nullable
    Long oldest() {
        return offsets.isEmpty() ? null : offsets.first();
    }

    /** A copy, rising. */
    List<Long> all() {
        return List.copyOf(offsets);
    }

    void delete(long offset) throws IOException {
        if (offsets.remove(offset)) {
            Files.deleteIfExists(file(offset));
        }
    }

    @Nullable
    Path detach(long offset) throws IOException {
        if (!offsets.remove(offset)) {
            return null;
        }
        Path file = file(offset);
        Path deleted = file.resolveSibling(file.getFileName() + DELETED_SUFFIX);
        try {
            return Files.move(file, deleted, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /**
     * Leaves only the snapshots taken at the start of a segment, and the newest other one if it is above all segments' starts:
     * that one came from the last stop.
     */
    void deleteStrays(Collection<Long> segmentBaseOffsets) throws IOException {
        rescan();
        long newestBase =
                segmentBaseOffsets.stream().mapToLong(Long::longValue).max().orElse(-1);
        Long newestStray = null;
        for (Long offset : offsets.descendingSet()) {
            if (!segmentBaseOffsets.contains(offset)) {
                newestStray = offset;
                break;
            }
        }
        for (Long offset : all()) {
            boolean keep = segmentBaseOffsets.contains(offset) || (offset.equals(newestStray) && offset >= newestBase);
            if (!keep) {
                delete(offset);
            }
        }
    }
}
