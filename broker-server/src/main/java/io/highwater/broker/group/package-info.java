/**
 * What group coordination asks of the broker, answered from partitions and metadata, and what it must hear of them.
 *
 * <p>No thread of its own: called by the coordinator's threads, by whoever changes a partition's role, and by the metadata loader. Neighbours:
 * {@code partition}, {@code config}, the control plane's images; built by {@code boot}.
 */
@NullMarked
package io.highwater.broker.group;

import org.jspecify.annotations.NullMarked;
