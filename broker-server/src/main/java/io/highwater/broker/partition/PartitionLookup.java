package io.highwater.broker.partition;

import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Where a search for a partition ended: exactly one of a hosted partition (then {@code error} is
 * {@link Errors#NONE}) and the error a client is to see.
 *
 * @param partition the partition hosted here, leader or follower
 * @param error why there is none: UNKNOWN_TOPIC_OR_PARTITION or UNKNOWN_TOPIC_ID (not in the cluster's metadata),
 *     NOT_LEADER_OR_FOLLOWER (in it, not hosted here), KAFKA_STORAGE_ERROR (its directory is offline)
 */
public record PartitionLookup(@Nullable Partition partition, Errors error) {
    static PartitionLookup found(Partition partition) {
        return new PartitionLookup(partition, Errors.NONE);
    }

    static PartitionLookup refused(Errors error) {
        return new PartitionLookup(null, error);
    }
}
