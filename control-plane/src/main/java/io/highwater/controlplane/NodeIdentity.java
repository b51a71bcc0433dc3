package io.highwater.controlplane;

import java.nio.file.Path;
import java.util.List;

/**
 * Whose directories these are, as their {@code meta.properties} say.
 *
 * @param clusterId the cluster
 * @param nodeId the node
 * @param directories those that can be read
 * @param failedDirectories those that cannot; never the one of the metadata log
 * @param newlyFormatted whether this very call formatted them
 */
public record NodeIdentity(
        String clusterId,
        int nodeId,
        List<LogDirectoryIdentity> directories,
        List<Path> failedDirectories,
        boolean newlyFormatted) {
    public NodeIdentity {
        directories = List.copyOf(directories);
        failedDirectories = List.copyOf(failedDirectories);
    }
}
