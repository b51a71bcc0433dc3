/**
 * A cluster in one thread: brokers that are driven by the code under test, a model of the controller, disks that lose what was not
 * flushed, a network that delays, loses and cuts, clocks that jump. One seed decides everything. After every event all {@link
 * io.highwater.replication.simulation.Invariants} hold; when the faults stop, the cluster heals.
 *
 * <p>Read {@link io.highwater.replication.simulation.Simulation} first, then {@link
 * io.highwater.replication.simulation.Invariants}. {@code -Dseed=N} replays one run with a transcript; {@link
 * io.highwater.replication.simulation.Sabotage} shows that it bites.
 */
@NullMarked
package io.highwater.replication.simulation;

import org.jspecify.annotations.NullMarked;
