package io.highwater.storage.segment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Gives a segment's files other names while they stay open. */
final class SegmentMove {
    private SegmentMove() {}

    /** Appends {@code suffix} to the names of those files that exist, the batches last; returns their new paths. */
    static List<Path> addSuffix(String suffix, LogFile logFile, SegmentIndexes indexes) throws IOException {
        List<Path> moved = new ArrayList<>();
        move(indexes.offsets().file().path(), suffix, indexes.offsets().file()::movedTo, moved);
        move(indexes.times().file().path(), suffix, indexes.times().file()::movedTo, moved);
        move(indexes.txns().path(), suffix, indexes.txns()::movedTo, moved);
        move(logFile.path(), suffix, logFile::movedTo, moved);
        return moved;
    }

    /** Where the files are, whether they exist or not. */
    static List<Path> paths(LogFile logFile, SegmentIndexes indexes) {
        return List.of(
                indexes.offsets().file().path(),
                indexes.times().file().path(),
                indexes.txns().path(),
                logFile.path());
    }

    /** The files lie in another directory now, under the same names. */
    static void directoryMoved(Path directory, LogFile logFile, SegmentIndexes indexes) {
        indexes.offsets()
                .file()
                .movedTo(sibling(directory, indexes.offsets().file().path()));
        indexes.times().file().movedTo(sibling(directory, indexes.times().file().path()));
        indexes.txns().movedTo(sibling(directory, indexes.txns().path()));
        logFile.movedTo(sibling(directory, logFile.path()));
    }

    private static void move(Path from, String suffix, Consumer<Path> movedTo, List<Path> moved) throws IOException {
        Path to = from.resolveSibling(from.getFileName() + suffix);
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return; // an index that never came to be
        }
        movedTo.accept(to);
        moved.add(to);
    }

    private static Path sibling(Path directory, Path file) {
        return directory.resolve(file.getFileName());
    }
}
