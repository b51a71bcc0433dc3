/**
 * Consumer groups, classic and KIP-848: Kafka's group coordinator behind one facade, {@link io.highwater.coordination.group.GroupCoordination}.
 *
 * <p>Threads: the library works on its own ({@code group.coordinator.threads} event threads, background threads for assignors, one timer,
 * one loader); every method of the facade may be called from any thread and none of them waits. Neighbours: the broker implements
 * {@link io.highwater.coordination.group.OffsetsPartitions} over its partitions of {@code __consumer_offsets} and
 * {@link io.highwater.coordination.group.TopicsView} over its metadata.
 */
@NullMarked
package io.highwater.coordination.group;

import org.jspecify.annotations.NullMarked;
