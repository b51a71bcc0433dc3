/**
 * One handler for each API, and the router that finds it.
 *
 * <p>A handler is called on the event loop of the connection the request came from, never waits there, and answers by
 * completing one future on any thread. Neighbours: called from {@code net}; calls {@code partition}, the control plane and the
 * group coordination; knows nothing of connections.
 */
@NullMarked
package io.highwater.broker.api;

import org.jspecify.annotations.NullMarked;
