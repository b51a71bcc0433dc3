/**
 * The data plane but for Fetch: Produce, offsets, deletion of records, producer ids, and what administrators ask about logs.
 *
 * <p>Called on the connection's event loop; what may touch the disk runs on a worker. Neighbours: {@code broker.partition} and
 * {@code broker.disk}.
 */
@NullMarked
package io.highwater.broker.api.records;

import org.jspecify.annotations.NullMarked;
