package io.highwater.controlplane;

import org.apache.kafka.common.Node;

/**
 * Where a node really connects when it wants to reach another. Tests lead the connections between the nodes of a cluster over something that
 * can hold them up; everybody else goes straight there. Any thread; must be quick, and always give the same answer for the same node.
 */
@FunctionalInterface
public interface Detour {
    /** Straight there. */
    Detour NONE = destination -> destination;

    /** The address to connect to instead of that of {@code destination}; with the same id. */
    Node toward(Node destination);
}
