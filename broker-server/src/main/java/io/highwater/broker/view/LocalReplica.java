package io.highwater.broker.view;

import io.highwater.broker.partition.ReplicaReport;
import org.jspecify.annotations.Nullable;

/**
 * One replica, as the broker that has it knows it.
 *
 * @param fingerprint of what is told here, to say that it is known
 * @param report what it is; null if there is none that works
 * @param error why there is none: a name of Kafka's errors; null if there is one
 */
record LocalReplica(
        int fingerprint,
        @Nullable ReplicaReport report,
        @Nullable String error) {}
