package io.highwater.storage.dir;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files and directories that are no longer named by anything but may still be read, until their time is up. Safe from any thread;
 * {@link #deleteDue} blocks. What is lost here at a stop is found again at the next start by its name.
 */
public final class PendingDeletions {
    /** {@link #nextDueMs} while nothing waits. */
    public static final long NOTHING = Long.MAX_VALUE;

    private static final Logger LOG = LoggerFactory.getLogger(PendingDeletions.class);

    private final PriorityQueue<Pending> pending = new PriorityQueue<>(Comparator.comparingLong(Pending::dueAtMs));

    private record Pending(Path path, long dueAtMs) {}

    /** Deletes a file, or a directory with all that is in it, at or after a time. */
    public synchronized void add(Path path, long dueAtMs) {
        pending.add(new Pending(path, dueAtMs));
    }

    /** When the next one is due; {@link #NOTHING} if none waits. */
    public synchronized long nextDueMs() {
        Pending next = pending.peek();
        return next == null ? NOTHING : next.dueAtMs();
    }

    /** Number of those that wait. */
    public synchronized int size() {
        return pending.size();
    }

    /**
     * Deletes what is due. One that cannot be deleted is logged and left to the next start.
     *
     * @return how many are gone
     */
    public int deleteDue(long nowMs) {
        int gone = 0;
        for (Path path : takeDue(nowMs)) {
            try {
                deleteTree(path);
                gone++;
            } catch (IOException e) {
                LOG.warn("{} cannot be deleted: {}", path, e.toString());
            }
        }
        return gone;
    }

    /**
     * Deletes a file, or a directory with all that is in it; does nothing if there is none.
     *
     * @throws IOException if something cannot be deleted
     */
    public static void deleteTree(Path path) throws IOException {
        Files.walkFileTree(path, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) throws IOException {
                if (e != null) {
                    throw e;
                }
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private synchronized List<Path> takeDue(long nowMs) {
        List<Path> due = new ArrayList<>();
        for (Pending next = pending.peek(); next != null && next.dueAtMs() <= nowMs; next = pending.peek()) {
            due.add(next.path());
            pending.remove();
        }
        return due;
    }
}
