package io.highwater.storage.dir;

import io.highwater.storage.dir.DirectoryRefusedException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One attempt to open all log directories of a node: looks at all before it touches any, and undoes what it did if one is refused. */
final class DirectoryOpening {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryOpening.class);

    private final int nodeId;
    private final Set<Path> seen = new HashSet<>();
    private final Set<Uuid> directoryIds = new HashSet<>();
    private final List<LogDirectory> opened = new ArrayList<>();

    /** Directories made by this attempt, innermost first. */
    private final Deque<Path> created = new ArrayDeque<>();

    private @Nullable String clusterId;

    /** Who said so, for the message. */
    private String clusterIdFrom = "this node belongs";

    DirectoryOpening(int nodeId, @Nullable String clusterId) {
        this.nodeId = nodeId;
        this.clusterId = clusterId;
    }

    List<LogDirectory> openAll(List<Path> paths) throws DirectoryRefusedException {
        List<@Nullable DirectoryIdentity> identities = new ArrayList<>();
        for (Path path : paths) {
            identities.add(inspect(path));
        }
        boolean complete = false;
        try {
            for (int i = 0; i < paths.size(); i++) {
                open(paths.get(i), identities.get(i));
            }
            complete = true;
            return List.copyOf(opened);
        } finally {
            if (!complete) {
                undo();
            }
        }
    }

    private @Nullable DirectoryIdentity inspect(Path path) throws DirectoryRefusedException {
        if (!seen.add(path.toAbsolutePath().normalize())) {
            throw refused(Reason.TWICE, path, "log directory " + path + " is given twice");
        }
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw refused(Reason.UNUSABLE, path, "log directory " + path + " is not a directory");
        }
        if (Files.isDirectory(path) && !(Files.isReadable(path) && Files.isWritable(path))) {
            throw refused(Reason.UNUSABLE, path, "log directory " + path + " may not be read and written by this user");
        }
        DirectoryIdentity identity = Files.isDirectory(path) ? DirectoryIdentity.read(path) : null;
        if (identity != null) {
            check(path, identity);
        }
        return identity;
    }

    private void check(Path path, DirectoryIdentity identity) throws DirectoryRefusedException {
        if (identity.nodeId() != nodeId) {
            throw refused(
                    Reason.OTHER_NODE,
                    path,
                    "log directory " + path + " belongs to node " + identity.nodeId() + ", this is node " + nodeId);
        }
        if (clusterId == null) {
            clusterId = identity.clusterId();
            clusterIdFrom = path + " belongs";
        } else if (!clusterId.equals(identity.clusterId())) {
            throw refused(
                    Reason.FOREIGN_CLUSTER,
                    path,
                    "log directory " + path + " belongs to cluster " + identity.clusterId() + ", but " + clusterIdFrom
                            + " to " + clusterId);
        }
        Uuid directoryId = identity.directoryId();
        if (directoryId != null && !directoryIds.add(directoryId)) {
            throw refused(
                    Reason.TWICE,
                    path,
                    "log directory " + path + " has the directory id " + directoryId + " of another: is it a copy?");
        }
    }

    private void open(Path path, @Nullable DirectoryIdentity inspected) throws DirectoryRefusedException {
        try {
            create(path);
            opened.add(new LogDirectory(path, DirectoryLock.take(path), inspected));
            if (!Objects.equals(inspected, DirectoryIdentity.read(path))) {
                throw refused(
                        Reason.LOCKED, path, "log directory " + path + " was changed by another process just now");
            }
        } catch (IOException e) {
            throw new DirectoryRefusedException(
                    Reason.UNUSABLE, path, "log directory " + path + " cannot be used: " + e, e);
        }
    }

    private void create(Path path) throws IOException {
        Path absolute = path.toAbsolutePath();
        List<Path> missing = new ArrayList<>();
        for (Path next = absolute; next != null && !Files.exists(next); next = next.getParent()) {
            missing.add(0, next);
        }
        for (Path next : missing) {
            Files.createDirectory(next);
            created.push(next);
        }
    }

    private void undo() {
        opened.forEach(DirectoryOpening::closeQuietly);
        for (Path directory : created) {
            try {
                Files.deleteIfExists(directory);
            } catch (IOException e) {
                break; // not empty any more, so neither are those around it
            }
        }
    }

    private static void closeQuietly(LogDirectory directory) {
        try {
            directory.close();
        } catch (IOException e) {
            LOG.debug("{} was not closed well; the refusal on its way says more", directory, e);
        }
    }

    private static DirectoryRefusedException refused(Reason reason, Path path, String sentence) {
        return new DirectoryRefusedException(reason, path, sentence);
    }
}
