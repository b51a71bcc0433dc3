package io.highwater.testkit;

import io.highwater.broker.boot.Inside;
import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** What running brokers know and have. */
final class Views {
    private Views() {}

    /** Empty if no running broker knows the partition. */
    static Optional<PartitionState> state(List<TestBroker> brokers, String topic, int partition) {
        return newestImage(brokers)
                .map(image -> image.partition(topic, partition))
                .map(view -> state(view, brokers));
    }

    private static PartitionState state(PartitionView view, List<TestBroker> brokers) {
        Map<Integer, ReplicaState> replicas = new TreeMap<>();
        for (TestBroker broker : brokers) {
            Inside inside = broker.inside();
            Inside.Replica replica = inside == null ? null : inside.replica(view.topic(), view.index());
            if (replica != null) {
                replicas.put(
                        broker.id(),
                        new ReplicaState(
                                broker.id(),
                                replica.role().leading(),
                                replica.role().leaderEpoch(),
                                replica.logStartOffset(),
                                replica.logEndOffset(),
                                replica.highWatermark(),
                                replica.inSyncReplicas().stream().sorted().toList()));
            }
        }
        return new PartitionState(
                view.topic(),
                view.index(),
                view.leader(),
                view.leaderEpoch(),
                view.partitionEpoch(),
                view.replicas(),
                view.inSyncReplicas().stream().sorted().toList(),
                view.eligibleLeaderReplicas().stream().sorted().toList(),
                replicas);
    }

    /** By the newest metadata; also of a broker that is not registered. */
    static boolean isFenced(List<TestBroker> brokers, int id) {
        BrokerView broker = newestImage(brokers).map(image -> image.broker(id)).orElse(null);
        return broker == null || broker.fenced();
    }

    private static Optional<ClusterImage> newestImage(List<TestBroker> brokers) {
        return brokers.stream()
                .map(TestBroker::inside)
                .filter(Objects::nonNull)
                .map(Inside::image)
                .max(Comparator.comparingLong(ClusterImage::offset));
    }

    static boolean isActiveController(TestBroker broker) {
        Inside inside = broker.inside();
        return inside != null && inside.isActiveController();
    }

    /** Whether each running broker knows that all running brokers are registered and not fenced. */
    static boolean allKnowAll(List<TestBroker> brokers) {
        List<TestBroker> running =
                brokers.stream().filter(TestBroker::isRunning).toList();
        return running.stream().allMatch(knowing -> running.stream().allMatch(known -> knows(knowing, known.id())));
    }

    private static boolean knows(TestBroker knowing, int id) {
        Inside inside = knowing.inside();
        BrokerView known = inside == null ? null : inside.image().broker(id);
        return known != null && !known.fenced();
    }
}
