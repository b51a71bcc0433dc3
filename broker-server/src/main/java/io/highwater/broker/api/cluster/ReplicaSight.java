package io.highwater.broker.api.cluster;

import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;

/**
 * Replicas as a client of one listener can see them.
 *
 * @param image the cluster
 * @param listener the listener that the client came through
 */
record ReplicaSight(ClusterImage image, String listener) {
    private static final Uuid NOT_ASSIGNED_YET = new Uuid(0, 1);
    private static final Uuid LOST = new Uuid(0, 2);

    /** Where the client reaches the leader: empty if there is none, or if it lacks the client's listener. */
    Optional<Node> leader(PartitionView partition) {
        return node(partition.leader());
    }

    /** Whether that broker is registered. */
    boolean isRegistered(int brokerId) {
        return image.broker(brokerId) != null;
    }

    /** Those of the brokers that the client can reach. */
    List<Integer> reachable(List<Integer> brokerIds) {
        return brokerIds.stream().filter(id -> node(id).isPresent()).toList();
    }

    /** Replicas that do not serve: their broker is gone, fenced or out of the client's reach, or their directory is offline. */
    List<Integer> offline(PartitionView partition) {
        return partition.replicas().stream()
                .filter(id -> isOffline(id, partition.directoryOf(id)))
                .toList();
    }

    private Optional<Node> node(int brokerId) {
        BrokerView broker = image.broker(brokerId);
        return broker == null ? Optional.empty() : broker.node(listener);
    }

    private boolean isOffline(int brokerId, Uuid directory) {
        BrokerView broker = image.broker(brokerId);
        return broker == null
                || broker.fenced()
                || !broker.endpoints().containsKey(listener)
                || !isOnline(directory, broker.directories());
    }

    /** A broker that tells of no directory at all is from before there were directories. */
    private static boolean isOnline(Uuid directory, List<Uuid> onlineDirectories) {
        if (directory.equals(Uuid.ZERO_UUID) || directory.equals(NOT_ASSIGNED_YET)) {
            return true;
        }
        return !directory.equals(LOST) && (onlineDirectories.isEmpty() || onlineDirectories.contains(directory));
    }
}
