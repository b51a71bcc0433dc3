/**
 * Other brokers, as this one calls them: who follows whom, one session for each leader and fetcher, and the connections they use.
 *
 * <p>A session lives on one event loop, and everything about it happens there; only {@code ReplicaFetchers} is called from other threads.
 * Neighbours: {@code partition} below, which decides what an answer means for a log, and {@code wire} for frames; {@code boot} builds it.
 */
@NullMarked
package io.highwater.broker.peer;

import org.jspecify.annotations.NullMarked;
