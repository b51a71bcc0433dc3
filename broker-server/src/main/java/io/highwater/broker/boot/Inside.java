package io.highwater.broker.boot;

import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.RoleView;
import io.highwater.controlplane.ClusterImage;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A running node as a test in the same JVM sees it. Changes nothing; any thread.
 */
public final class Inside {
    private final NodeParts node;
    private final Function<TopicPartition, @Nullable Partition> partitions;

    Inside(NodeParts node, Function<TopicPartition, @Nullable Partition> partitions) {
        this.node = node;
        this.partitions = partitions;
    }

    /**
     * One replica at one moment. The offsets are read one after the other while appends go on, the high watermark first, so that it is never
     * above the log end.
     *
     * @param role what it is
     * @param logStartOffset first offset kept
     * @param logEndOffset next offset to be written (exclusive)
     * @param highWatermark all below is committed as far as this replica knows (exclusive)
     * @param inSyncReplicas the agreed ISR as it knows it as leader; empty if it does not lead
     */
    public record Replica(
            RoleView role, long logStartOffset, long logEndOffset, long highWatermark, List<Integer> inSyncReplicas) {}

    /** The replica that this node has of the partition; null if it has none that works. */
    public @Nullable Replica replica(String topic, int partition) {
        Partition hosted = partitions.apply(new TopicPartition(topic, partition));
        if (hosted == null) {
            return null;
        }
        RoleView role = hosted.role();
        long highWatermark = hosted.highWatermark();
        return new Replica(
                role, hosted.logStartOffset(), hosted.logEndOffset(), highWatermark, hosted.inSyncReplicas());
    }

    /** What this node knows of the cluster. */
    public ClusterImage image() {
        return node.controlPlane().image();
    }

    /** Whether this node is the active controller, as far as it knows. */
    public boolean isActiveController() {
        return node.controlPlane().isActiveController();
    }

    /** The threads on which everything happens that has to do with sockets; whoever blocks them stops the node. */
    public List<Executor> eventLoops() {
        return new EventLoops(node.vertx()).all();
    }
}
