package io.highwater.broker.partition;

import io.highwater.replication.ReplicaSettings;
import io.highwater.storage.log.LogSettings;

/**
 * How long a leader counts on a follower that it does not hear from, for all partitions of a broker.
 *
 * @param maxLagMs {@code replica.lag.time.max.ms}
 * @param disconnectGraceMs {@code highwater.isr.disconnect.grace.ms}, see {@link ReplicaSettings}
 */
record ReplicaPatience(long maxLagMs, long disconnectGraceMs) {
    ReplicaSettings with(LogSettings topic) {
        return new ReplicaSettings(topic.replication().minInSyncReplicas(), maxLagMs, disconnectGraceMs);
    }
}
