package io.highwater.storage.dir;

import io.highwater.storage.dir.DirectoryRefusedException.Reason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The file {@code .lock}: whoever holds a lock on it owns the directory. A Kafka broker keeps to the same file and the same lock. */
final class DirectoryLock implements AutoCloseable {
    static final String FILE_NAME = ".lock";

    private static final int ATTEMPTS = 10;

    private final Path file;
    private final FileChannel channel;

    private DirectoryLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    static DirectoryLock take(Path directory) throws DirectoryRefusedException, IOException {
        Path file = directory.resolve(FILE_NAME);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            DirectoryLock lock = attempt(directory, file);
            // The former owner deletes the file as its last act: then this is a lock on a file without a name.
            if (Files.exists(file)) {
                return lock;
            }
            lock.channel.close();
        }
        throw locked(directory, "another process");
    }

    private static DirectoryLock attempt(Path directory, Path file) throws DirectoryRefusedException, IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileLock held;
        try {
            held = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            channel.close();
            throw locked(directory, "this process already");
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        if (held == null) {
            channel.close();
            throw locked(directory, "another process");
        }
        return new DirectoryLock(file, channel);
    }

    private static DirectoryRefusedException locked(Path directory, String by) {
        return new DirectoryRefusedException(
                Reason.LOCKED, directory, "log directory " + directory + " is locked by " + by);
    }

    /** Lets go and leaves no file behind. */
    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            Files.deleteIfExists(file);
            channel.close();
        }
    }
}
