/**
 * The reigns of a partition's leaders: which leader epoch began at which offset, and its file {@code leader-epoch-checkpoint}.
 * Changed under the partition's lock, read from any thread, written to disk by whoever calls flush. Neighbour: {@code log}.
 */
@NullMarked
package io.highwater.storage.epoch;

import org.jspecify.annotations.NullMarked;
