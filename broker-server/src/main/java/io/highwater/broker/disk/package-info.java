/**
 * Where everything that may wait for a disk runs, so that no event loop does: fsync, recovery, deletion, cold reads,
 * cleaning, and the tasks that come round by the clock.
 *
 * <p>Owner threads: its own, named {@code highwater-disk-N}. Neighbours: {@code broker.partition} hands it work.
 */
@NullMarked
package io.highwater.broker.disk;

import org.jspecify.annotations.NullMarked;
