package io.highwater.storage.dir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writing small files so that a crash leaves the old one or the new one. Blocking: for start, stop and disk workers. */
public final class DurableFiles {
    private static final String TEMPORARY = ".tmp";

    private DurableFiles() {}

    /**
     * Replaces a file's content: written beside it, fsynced, renamed over it, directory fsynced.
     *
     * @throws IOException if any step failed; the temporary file is then removed if that is possible
     */
    public static void replace(Path file, String content) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + TEMPORARY);
        try {
            try (FileChannel channel = FileChannel.open(
                    temporary,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE)) {
                ByteBuffer bytes = StandardCharsets.UTF_8.encode(content);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            deleteQuietly(temporary, e);
            throw e;
        }
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            syncDirectory(directory);
        }
    }

    /**
     * Makes names created, renamed or deleted in a directory survive a crash.
     *
     * @throws IOException if the disk failed
     */
    public static void syncDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static void deleteQuietly(Path file, IOException cause) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }
}
