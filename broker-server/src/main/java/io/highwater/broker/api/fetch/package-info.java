/**
 * Fetch: sessions, long polling, and records on their way out without a copy.
 *
 * <p>Called on the connection's event loop; a parked fetch is read again there as well. Neighbours: {@code broker.partition}
 * reads, {@code broker.disk} warms what is cold, {@code wire.frame} writes.
 */
@NullMarked
package io.highwater.broker.api.fetch;

import org.jspecify.annotations.NullMarked;
