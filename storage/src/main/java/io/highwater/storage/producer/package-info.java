/**
 * What a partition remembers of the producers that write to it: the last five batches of each (duplicates, sequence gaps), their
 * epochs, and which transactions are open. Owned by the partition's lock; the first unstable offset may be read from any thread.
 * Kept on disk as {@code .snapshot} files. Neighbour: {@code log}, which asks before it writes and tells after it wrote.
 */
@NullMarked
package io.highwater.storage.producer;

import org.jspecify.annotations.NullMarked;
