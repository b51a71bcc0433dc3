/**
 * One log directory: its lock, its identity ({@code meta.properties}), the names of the partition directories in it, the offset
 * checkpoints beside them and the marker of a clean stop. Used at start, at stop and by disk workers, never by an event loop.
 * Knows nothing of what is inside a segment.
 */
@NullMarked
package io.highwater.storage.dir;

import org.jspecify.annotations.NullMarked;
