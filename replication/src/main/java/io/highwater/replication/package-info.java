/**
 * What one replica of a partition decides: who is in sync, what is committed, where to truncate. State machines fed with
 * events and a time; they answer with values and {@link io.highwater.replication.Effect}s and do nothing themselves.
 *
 * <p>Owner thread: whoever holds the partition's lock. Neighbours: none; {@code broker.partition} drives them, a simulation
 * can do it as well.
 */
@NullMarked
package io.highwater.replication;

import org.jspecify.annotations.NullMarked;
