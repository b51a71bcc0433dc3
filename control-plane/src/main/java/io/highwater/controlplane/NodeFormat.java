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
     *
     * @param clusterId the cluster, or null for a new one
     * @param voters who votes first; ignored when {@code controller.quorum.voters} is set
     * @throws ControlPlaneException if a directory is formatted already or cannot be written
     */
    public static NodeIdentity format(NodeSettings settings, @Nullable String clusterId, InitialVoters voters) {
        FormattedDirectories directories = FormattedDirectories.load(settings);
        directories.requireUnformatted();
        return directories.format(clusterId, voters);
    }

    /** As {@link #format(NodeSettings, String, InitialVoters)}, with the voters that {@link #readOrFormat} would assume. */
    public static NodeIdentity format(NodeSettings settings, @Nullable String clusterId) {
        return format(settings, clusterId, FormattedDirectories.load(settings).likelyVoters());
    }

    /**
     * {@link #read}, after formatting those directories that are empty: all of them on a first start, new ones that were added to
     * {@code log.dirs} later. On a first start without {@code controller.quorum.voters} a controller becomes the only voter of a dynamic
     * quorum, unless {@code controller.quorum.bootstrap.servers} names others than itself: then it joins them.
     *
     * @param clusterId the cluster that empty directories join, or null for a new one
     */
    public static NodeIdentity readOrFormat(NodeSettings settings, @Nullable String clusterId) {
        FormattedDirectories directories = FormattedDirectories.load(settings);
        return directories.complete()
                ? directories.identity(false)
                : directories.format(clusterId, directories.likelyVoters());
    }
}
