package io.highwater.broker.api.fetch;

import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.config.InvalidSettingException;
import io.highwater.broker.partition.Partition;
import io.highwater.controlplane.ClusterImage;
import io.highwater.replication.FollowerView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.replica.ClientMetadata;
import org.apache.kafka.common.replica.PartitionView;
import org.apache.kafka.common.replica.ReplicaSelector;
import org.apache.kafka.common.replica.ReplicaView;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Which replica a consumer had better read from, by the {@link ReplicaSelector} of {@code replica.selector.class}; without one, everybody reads
 * from the leader. It chooses among the leader and those in-sync followers that hold what the consumer asks for: one that lags may never
 * catch up, and would be chosen again and again. Any thread.
 */
public final class ReadReplicas implements AutoCloseable {
    /** The leader itself. */
    static final int LEADER = -1;

    private static final String SETTING = "replica.selector.class";

    private final @Nullable ReplicaSelector selector;
    private final int nodeId;
    private final Supplier<ClusterImage> image;

    private ReadReplicas(@Nullable ReplicaSelector selector, int nodeId, Supplier<ClusterImage> image) {
        this.selector = selector;
        this.nodeId = nodeId;
        this.image = image;
    }

    /** Everybody reads from the leader. */
    public static ReadReplicas leadersOnly() {
        return new ReadReplicas(null, -1, ClusterImage::empty);
    }

    /**
     * Makes the selector, and configures it with all settings.
     *
     * @param className of a {@link ReplicaSelector}; null for none
     * @param nodeId of this broker
     * @param image the newest: where replicas are
     * @throws InvalidSettingException if there is no such selector
     */
    public static ReadReplicas of(
            @Nullable String className, int nodeId, Map<String, String> settings, Supplier<ClusterImage> image) {
        if (className == null || className.isEmpty()) {
            return leadersOnly();
        }
        try {
            ReplicaSelector selector = Utils.newInstance(className, ReplicaSelector.class);
            selector.configure(settings);
            return new ReadReplicas(selector, nodeId, image);
        } catch (ClassNotFoundException | ClassCastException | KafkaException e) {
            throw new InvalidSettingException(
                    SETTING,
                    SETTING + "=" + className + " cannot be used: " + e.getMessage()
                            + "; take org.apache.kafka.common.replica.RackAwareReplicaSelector or leave it out");
        }
    }

    /** The broker that the client had better read the partition from; {@link #LEADER} if from here, or if this replica does not lead. */
    int choose(ApiRequest request, String rackId, Partition partition, long fetchOffset) {
        if (selector == null || !partition.isLeader()) {
            return LEADER;
        }
        String listener = request.client().listener().value();
        ReplicaView leader = new Candidate(node(nodeId, listener), partition.logEndOffset(), 0);
        Set<ReplicaView> candidates = new HashSet<>();
        candidates.add(leader);
        for (FollowerView follower : partition.followersInSync()) {
            if (follower.logEndOffset() >= fetchOffset && follower.logStartOffset() <= fetchOffset) {
                candidates.add(
                        new Candidate(node(follower.replicaId(), listener), follower.logEndOffset(), follower.lagMs()));
            }
        }
        return selector.select(partition.topicPartition(), client(request, rackId), new Candidates(candidates, leader))
                .filter(chosen -> chosen != leader && !chosen.endpoint().isEmpty())
                .map(chosen -> chosen.endpoint().id())
                .orElse(LEADER);
    }

    private Node node(int brokerId, String listener) {
        return image.get().aliveNode(brokerId, listener).orElse(Node.noNode());
    }

    private static ClientMetadata client(ApiRequest request, String rackId) {
        return new ClientMetadata.DefaultClientMetadata(
                rackId,
                request.clientId(),
                request.client().address().getAddress(),
                request.client().principal(),
                request.client().listener().value());
    }

    /** Closes the selector. */
    @Override
    public void close() {
        if (selector != null) {
            try {
                selector.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private record Candidate(Node endpoint, long logEndOffset, long timeSinceLastCaughtUpMs) implements ReplicaView {}

    private record Candidates(Set<ReplicaView> replicas, ReplicaView leader) implements PartitionView {}
}
