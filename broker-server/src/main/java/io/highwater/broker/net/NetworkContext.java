package io.highwater.broker.net;

import io.highwater.broker.metrics.NetworkMetrics;

/**
 * What all listeners of one broker have in common.
 *
 * @param sockets settings of every connection
 * @param memory what requests may hold together
 * @param connections how many there may be
 * @param metrics where everything is counted
 */
public record NetworkContext(
        SocketSettings sockets, MemoryBudget memory, ConnectionLimits connections, NetworkMetrics metrics) {

    /** Lets the metrics see the memory budget. */
    public NetworkContext {
        metrics.watchMemory(memory::usedBytes, memory::limitBytes);
    }
}
