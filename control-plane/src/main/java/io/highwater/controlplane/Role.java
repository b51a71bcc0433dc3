package io.highwater.controlplane;

import java.util.Locale;

/** What a process does in the cluster, as {@code process.roles} names it. A combined node has both. */
public enum Role {
    /** Holds partitions and serves clients. */
    BROKER,
    /** Votes in the metadata quorum and may become the active controller. */
    CONTROLLER;

    /** The role in the spelling of {@code process.roles}. */
    public String configName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
