package io.highwater.storage.dir;

import io.highwater.storage.dir.DirectoryRefusedException.Reason;
import io.highwater.storage.dir.PartitionDirectory.Kind;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One log directory, locked for this process while it is open. Everything here blocks: for start, stop and disk workers. Safe from
 * any thread.
 */
public final class LogDirectory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogDirectory.class);

    /** Directories that are no partition's and are nobody's business here. */
    private static final Set<String> NOT_PARTITIONS = Set.of("remote-log-index-cache", "__cluster_metadata-0");

    private final Path path;
    private final DirectoryLock lock;
    private final OffsetCheckpoint recoveryPoints;
    private final OffsetCheckpoint highWatermarks;
    private final OffsetCheckpoint logStartOffsets;
    private final OffsetCheckpoint cleanerOffsets;
    private volatile @Nullable DirectoryIdentity identity;

    LogDirectory(Path path, DirectoryLock lock, @Nullable DirectoryIdentity identity) {
        this.path = path;
        this.lock = lock;
        this.identity = identity;
        this.recoveryPoints = new OffsetCheckpoint(path.resolve("recovery-point-offset-checkpoint"));
        this.highWatermarks = new OffsetCheckpoint(path.resolve("replication-offset-checkpoint"));
        this.logStartOffsets = new OffsetCheckpoint(path.resolve("log-start-offset-checkpoint"));
        this.cleanerOffsets = new OffsetCheckpoint(path.resolve("cleaner-offset-checkpoint"));
    }

    /**
     * Checks and locks the log directories of this node, all or none. Missing ones are created. Nothing on disk has changed if they
     * are refused.
     *
     * @param nodeId of this node; a directory of another is refused
     * @param clusterId that the directories must belong to; null takes the one they agree on
     * @throws DirectoryRefusedException with the first problem found
     */
    public static List<LogDirectory> openAll(List<Path> paths, int nodeId, @Nullable String clusterId)
            throws DirectoryRefusedException {
        return new DirectoryOpening(nodeId, clusterId).openAll(paths);
    }

    public Path path() {
        return path;
    }

    /** Whose data this is; null until {@link #format}. */
    public @Nullable DirectoryIdentity identity() {
        return identity;
    }

    /**
     * Reads the identity again, after somebody else has formatted the directory.
     *
     * @throws DirectoryRefusedException if it cannot be read or makes no sense
     */
    public @Nullable DirectoryIdentity refreshIdentity() throws DirectoryRefusedException {
        DirectoryIdentity present = DirectoryIdentity.read(path);
        identity = present;
        return present;
    }

    /**
     * Makes an unformatted directory this cluster's and node's, with a new directory id; also gives an id to an old directory
     * without one. A directory that has all this is left alone.
     *
     * @throws IOException if the disk failed
     */
    public DirectoryIdentity format(String clusterId, int nodeId) throws IOException {
        DirectoryIdentity before = identity;
        DirectoryIdentity after = before == null
                ? new DirectoryIdentity(clusterId, nodeId, DirectoryIdentity.newDirectoryId())
                : before.withDirectoryId();
        if (!after.equals(before)) {
            after.write(path);
            identity = after;
        }
        return after;
    }

    /** Up to where each log is known to be on disk; a damaged file may be read as empty. */
    public OffsetCheckpoint recoveryPoints() {
        return recoveryPoints;
    }

    /** High watermarks; may name partitions that are gone. */
    public OffsetCheckpoint highWatermarks() {
        return highWatermarks;
    }

    /** Log starts that lie inside a segment; a damaged file may be read as empty. */
    public OffsetCheckpoint logStartOffsets() {
        return logStartOffsets;
    }

    /** First offset of each compacted log that the cleaner has not seen. */
    public OffsetCheckpoint cleanerOffsets() {
        return cleanerOffsets;
    }

    /**
     * Reads the marker of a clean stop and removes it, so that a crash from now on is seen as one.
     *
     * @return null if the last stop was not clean
     * @throws IOException if the disk failed
     */
    public @Nullable CleanShutdown takeCleanShutdown() throws IOException {
        return CleanShutdown.take(path);
    }

    /**
     * Writes the marker: the last step of a clean stop, after every log was closed.
     *
     * @throws IOException if the disk failed
     */
    public void markCleanShutdown(long brokerEpoch) throws IOException {
        new CleanShutdown(brokerEpoch).write(path);
    }

    /**
     * All partition directories, of every kind.
     *
     * @throws DirectoryRefusedException if there is a directory whose name is no partition's, or the directory cannot be read
     */
    public List<PartitionDirectory> partitionDirectories() throws DirectoryRefusedException {
        List<PartitionDirectory> found = new ArrayList<>();
        try (Stream<Path> entries = Files.list(path)) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                if (Files.isDirectory(entry)
                        && !NOT_PARTITIONS.contains(entry.getFileName().toString())) {
                    found.add(parse(entry));
                }
            }
        } catch (IOException e) {
            throw new DirectoryRefusedException(
                    Reason.UNUSABLE, path, "log directory " + path + " cannot be read: " + e.getMessage(), e);
        }
        return found;
    }

    /** Where a live replica of a partition lies, or would. */
    public Path pathOf(TopicPartition partition) {
        return path.resolve(PartitionDirectory.liveName(partition));
    }

    /**
     * Creates a partition's directory with its {@code partition.metadata}; keeps what is there already, unless it belongs to another topic
     * of that name: that is set aside as {@link Kind#STRAY}.
     *
     * @return its path
     * @throws IOException if the disk failed
     */
    public Path createPartitionDirectory(TopicPartition partition, Uuid topicId) throws IOException {
        Path created = pathOf(partition);
        Uuid present = Files.isDirectory(created) ? PartitionMetadata.readTopicId(created) : null;
        if (present != null && !present.equals(topicId)) {
            Path aside = rename(created, partition, Kind.STRAY);
            LOG.warn(
                    "{} holds the topic {} of the same name, not {}; it is kept as {}",
                    created,
                    present,
                    topicId,
                    aside);
        }
        if (!Files.isDirectory(created)) {
            Files.createDirectory(created);
            DurableFiles.syncDirectory(path);
        }
        if (!topicId.equals(present)) {
            PartitionMetadata.write(created, topicId);
        }
        return created;
    }

    /**
     * Renames a partition's directory in one step, so that it is no longer a live one.
     *
     * @param kind its fate, not {@link Kind#LIVE}
     * @return its new path
     * @throws IOException if the disk failed
     */
    public Path rename(Path partitionDirectory, TopicPartition partition, Kind kind) throws IOException {
        if (kind == Kind.LIVE) {
            throw new IllegalArgumentException(
                    "a directory of " + partition + " cannot be renamed to a fresh live name");
        }
        Path renamed = path.resolve(PartitionDirectory.freshName(partition, kind));
        Files.move(partitionDirectory, renamed, StandardCopyOption.ATOMIC_MOVE);
        DurableFiles.syncDirectory(path);
        return renamed;
    }

    /**
     * Creates an empty {@link Kind#FUTURE} directory, to be filled from the replica of another log directory.
     *
     * @return its path
     * @throws IOException if the disk failed
     */
    public Path createFutureDirectory(TopicPartition partition) throws IOException {
        Path created = path.resolve(PartitionDirectory.freshName(partition, Kind.FUTURE));
        Files.createDirectory(created);
        return created;
    }

    /**
     * Makes a filled {@link Kind#FUTURE} directory the live one of its partition, in one step.
     *
     * @return its path
     * @throws IOException if there is a live one already, or the disk failed
     */
    public Path promote(Path futureDirectory, TopicPartition partition) throws IOException {
        Path live = pathOf(partition);
        if (Files.exists(live)) {
            throw new FileAlreadyExistsException(live.toString());
        }
        Files.move(futureDirectory, live, StandardCopyOption.ATOMIC_MOVE);
        DurableFiles.syncDirectory(path);
        return live;
    }

    /**
     * Bytes that can still be written here.
     *
     * @throws IOException if the disk failed
     */
    public long usableBytes() throws IOException {
        return Files.getFileStore(path).getUsableSpace();
    }

    /**
     * Size of the file system.
     *
     * @throws IOException if the disk failed
     */
    public long totalBytes() throws IOException {
        return Files.getFileStore(path).getTotalSpace();
    }

    /** Gives the directory free for other processes; the lock file goes. May be repeated. */
    @Override
    public void close() throws IOException {
        lock.close();
    }

    @Override
    public String toString() {
        return path.toString();
    }

    private PartitionDirectory parse(Path entry) throws DirectoryRefusedException {
        PartitionDirectory parsed = PartitionDirectory.parse(entry);
        if (parsed == null) {
            throw new DirectoryRefusedException(
                    Reason.STRANGE_CONTENT,
                    path,
                    "log directory " + path + " contains the directory '" + entry.getFileName()
                            + "', whose name is not a topic, a dash and a partition; move it elsewhere");
        }
        return parsed;
    }
}
