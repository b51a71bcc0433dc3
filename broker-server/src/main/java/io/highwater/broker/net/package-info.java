/**
 * Sockets: listeners, one connection for each client, the order of its answers, and the memory all of them may hold.
 *
 * <p>A connection lives on one event loop, and everything about it happens there; only {@code MemoryBudget} and
 * {@code ConnectionLimits} are shared between loops. Neighbours: {@code wire} below for frames and messages, {@code api} above
 * for the answers; whoever opens listeners is {@code boot}.
 */
@NullMarked
package io.highwater.broker.net;

import org.jspecify.annotations.NullMarked;
