package io.highwater.broker.api.fetch;

import io.highwater.broker.api.Client;
import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.Partitions;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * Tells partitions when the connection on which a follower fetches them is gone, which is the first sign that its process has died. Only of a
 * follower with a session: who says everything each time is given up by its lag alone.
 */
final class FollowerWatch {
    private final Partitions partitions;

    FollowerWatch(Partitions partitions) {
        this.partitions = partitions;
    }

    /** {@code replicaId} fetches {@code session} on that client's connection, from now on or still. */
    void watch(FetchSession session, int replicaId, Client client) {
        if (session.moveTo(client)) {
            client.closed().onComplete(closed -> {
                if (session.isOn(client)) {
                    tell(session, replicaId);
                }
            });
        }
    }

    private void tell(FetchSession session, int replicaId) {
        for (Wanted wanted : session.wanted()) {
            Partition partition = find(wanted);
            if (partition != null) {
                partition.onFollowerDisconnected(replicaId);
            }
        }
    }

    private @Nullable Partition find(Wanted wanted) {
        return wanted.topicId().equals(Uuid.ZERO_UUID)
                ? partitions.lookup(wanted.topic(), wanted.index()).partition()
                : partitions.lookup(wanted.topicId(), wanted.index()).partition();
    }
}
