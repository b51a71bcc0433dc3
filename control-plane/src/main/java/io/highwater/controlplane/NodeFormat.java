package io.highwater.controlplane;

import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the identity of a node: {@code meta.properties} in each directory and the first snapshot of the metadata log.
 * Blocks on the disk. Nothing is changed on disk when a call fails before its first write; a format that was interrupted can be repeated.
 */
public final class NodeFormat {
    private NodeFormat() {}

    /**
     * Reads the identity of formatted directories and checks that all of them belong to {@code settings.nodeId()} and to one cluster.
     *
     * @throws ControlPlaneException if a directory is not formatted, belongs to another node or cluster, or the metadata log's directory
     *     cannot be read
     */
    public static NodeIdentity read(NodeSettings settings) {
        return FormattedDirectories.load(settings).identity(false);
    }

    /**
     * Formats all directories, which must be empty of {@code meta.properties}, for the feature levels of release 4.4.
     * Without {@code controller.quorum.voters} the node, if it is a controller, becomes the only voter of a dynamic quorum.
     *
     * @param clusterId the cluster, or null for a new one
     * @throws ControlPlaneException if a directory is formatted already or cannot be written
     */
    public static NodeIdentity format(NodeSettings settings, @Nullable String clusterId) {
        return FormattedDirectories.load(settings).format(settings, clusterId, false);
    }

    /**
     * {@link #read}, after formatting those directories that are empty: all of them on a first start, new ones that were added to
     * {@code log.dirs} later.
     *
     * @param clusterId the cluster that empty directories join, or null for a new one
     */
    public static NodeIdentity readOrFormat(NodeSettings settings, @Nullable String clusterId) {
        return FormattedDirectories.load(settings).format(settings, clusterId, true);
    }
}
