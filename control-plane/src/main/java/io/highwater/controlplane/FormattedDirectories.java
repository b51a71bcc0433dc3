package io.highwater.controlplane;

import org.jspecify.annotations.Nullable;

/** What the meta.properties of a node's directories say, and the writing of missing ones. */
final class FormattedDirectories {
    private final @Nullable NodeIdentity identity;

    private FormattedDirectories(@Nullable NodeIdentity identity) {
        this.identity = identity;
    }

    static FormattedDirectories load(NodeSettings settings) {
        return new FormattedDirectories(null);
    }

    NodeIdentity identity(boolean newlyFormatted) {
        if (identity == null) {
            throw new ControlPlaneException(ControlPlaneException.Reason.NOT_FORMATTED, "not formatted");
        }
        return identity;
    }

    NodeIdentity format(NodeSettings settings, @Nullable String clusterId, boolean skipFormatted) {
        return identity(true);
    }
}
