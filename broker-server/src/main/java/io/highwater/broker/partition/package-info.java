/**
 * The replicas this broker hosts. A {@link io.highwater.broker.partition.Partition} is a monitor: one short lock around a
 * log (storage), what the replica decides (replication) and the requests parked on them. Callable from any thread; nothing
 * waits while it holds a partition's lock, and parked requests are completed after the lock is released.
 *
 * <p>Neighbours: {@code broker.api} asks, {@code broker.peer} follows leaders for it, {@code broker.disk} does what is slow.
 */
@NullMarked
package io.highwater.broker.partition;

import org.jspecify.annotations.NullMarked;
