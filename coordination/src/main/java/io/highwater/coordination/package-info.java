/**
 * Coordination of clients by the broker that leads a partition of an internal topic: groups in {@code group}. Knows Kafka's coordinator
 * libraries and nothing else of ours; what it needs from the broker it asks through interfaces of its own.
 */
@NullMarked
package io.highwater.coordination;

import org.jspecify.annotations.NullMarked;
