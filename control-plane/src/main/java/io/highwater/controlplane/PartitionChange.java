package io.highwater.controlplane;

import org.jspecify.annotations.Nullable;

/**
 * A partition that was created or changed.
 *
 * @param before as it was, or null if it is new
 * @param after as it is
 */
public record PartitionChange(@Nullable PartitionView before, PartitionView after) {}
