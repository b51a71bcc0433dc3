/**
 * One stretch of a log on disk: the batches and the indexes over them, in Kafka 4.4's bytes.
 *
 * <p>Owner thread: whoever holds the lock of the partition; it alone appends, truncates, seals and closes. Any thread may
 * read: readers take a lease on the segment and never look past the tail it has published. Neighbours: only {@code
 * storage.log} creates segments; a {@link io.highwater.storage.segment.LogSlice} travels as far as the socket.
 */
@NullMarked
package io.highwater.storage.segment;

import org.jspecify.annotations.NullMarked;
