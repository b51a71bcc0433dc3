package io.highwater.broker.metrics;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.metrics.Dialects.Dialect;
import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import io.highwater.controlplane.TopicView;
import java.util.Collection;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.Endpoint;

/**
 * Brokers, topics and partitions by the names of kafka_exporter and, if wanted, of Redpanda. Each series is told by one node only: those of a
 * partition by its leader, those of a topic by the leader of its first partition, those of the cluster by the active controller.
 */
public final class ClusterMetrics implements SeriesSource {
    private static final String PARTITION = "kafka_topic_partition_";

    private final Supplier<ClusterImage> image;
    private final BooleanSupplier activeController;
    private final ReplicaMetrics replicas;

    /**
     * Looks at the newest image, and at the replicas as they were told a moment before.
     *
     * @param activeController whether this node is
     */
    public ClusterMetrics(Supplier<ClusterImage> image, BooleanSupplier activeController, ReplicaMetrics replicas) {
        this.image = image;
        this.activeController = activeController;
        this.replicas = replicas;
    }

    @Override
    public void writeTo(SeriesWriter out) {
        ClusterImage now = image.get();
        Collection<ReplicaSample> samples = replicas.latest();
        if (out.dialects().has(Dialect.KE)) {
            writeBrokers(out, now);
            writeTopics(out, now, samples);
            writePartitions(out, samples);
        }
        if (out.dialects().has(Dialect.RP)) {
            writeRedpandaNames(out, now, samples);
        }
    }

    private void writeBrokers(SeriesWriter out, ClusterImage now) {
        if (!activeController.getAsBoolean()) {
            return;
        }
        out.gauge("kafka_brokers", "Brokers that are registered and not fenced; told by the active controller")
                .sample(alive(now));
        out.gauge("kafka_broker_info", "1 for each of them; told by the active controller");
        for (BrokerView broker : now.brokers()) {
            Endpoint endpoint = broker.firstEndpointBut(BrokerConfig.HTTP_LISTENER);
            if (!broker.fenced() && endpoint != null) {
                String address = endpoint.host() + ":" + endpoint.port();
                out.sample(1L, "id", Integer.toString(broker.id()), "address", address);
            }
        }
    }

    private static long alive(ClusterImage now) {
        return now.brokers().stream().filter(broker -> !broker.fenced()).count();
    }

    private static void writeTopics(SeriesWriter out, ClusterImage now, Collection<ReplicaSample> samples) {
        out.gauge("kafka_topic_partitions", "Partitions of a topic; told by the leader of its first");
        for (ReplicaSample sample : samples) {
            TopicView topic = sample.leading() && sample.partition() == 0 ? now.topic(sample.topic()) : null;
            if (topic != null) {
                out.sample(topic.partitions().size(), "topic", topic.name());
            }
        }
    }

    private static void writePartitions(SeriesWriter out, Collection<ReplicaSample> samples) {
        led(out, samples, "current_offset", "High watermark; told by the leader", ReplicaSample::highWatermark);
        led(out, samples, "oldest_offset", "First offset kept; told by the leader", ReplicaSample::logStartOffset);
        led(
                out,
                samples,
                "in_sync_replica",
                "In-sync replicas; told by the leader",
                sample -> sample.leadership().inSyncReplicas());
        led(out, samples, "leader", "Broker that leads", ReplicaSample::leader);
        led(
                out,
                samples,
                "leader_is_preferred",
                "1 if the leader is the first of the assignment",
                sample -> sample.leadership().preferred() ? 1 : 0);
        led(
                out,
                samples,
                "replicas",
                "Replicas; told by the leader",
                sample -> sample.leadership().replicas());
        led(
                out,
                samples,
                "under_replicated_partition",
                "1 if in-sync replicas are missing; told by the leader",
                sample -> sample.isUnderReplicated() ? 1 : 0);
    }

    private static void led(
            SeriesWriter out,
            Collection<ReplicaSample> samples,
            String name,
            String help,
            ToLongFunction<ReplicaSample> value) {
        out.gauge(PARTITION + name, help);
        for (ReplicaSample sample : samples) {
            if (sample.leading()) {
                out.partition(sample.topic(), sample.partition(), value.applyAsLong(sample));
            }
        }
    }

    private void writeRedpandaNames(SeriesWriter out, ClusterImage now, Collection<ReplicaSample> samples) {
        if (activeController.getAsBoolean()) {
            long partitions = 0;
            long unavailable = 0;
            for (TopicView topic : now.topics()) {
                partitions += topic.partitions().size();
                unavailable += topic.partitions().stream()
                        .filter(partition -> partition.leader() == PartitionView.NO_LEADER)
                        .count();
            }
            out.gauge("redpanda_cluster_brokers", "Brokers that are registered and not fenced")
                    .sample(alive(now));
            out.gauge("redpanda_cluster_topics", "Topics")
                    .sample(now.topicNames().size());
            out.gauge("redpanda_cluster_partitions", "Partitions").sample(partitions);
            out.gauge("redpanda_cluster_unavailable_partitions", "Partitions without a leader")
                    .sample(unavailable);
        }
        redpanda(out, samples, "max_offset", "High watermark", ReplicaSample::highWatermark);
        redpanda(
                out,
                samples,
                "under_replicated_replicas",
                "Replicas that are not in sync",
                sample -> Math.max(
                        0, sample.leadership().replicas() - sample.leadership().inSyncReplicas()));
    }

    private static void redpanda(
            SeriesWriter out,
            Collection<ReplicaSample> samples,
            String name,
            String help,
            ToLongFunction<ReplicaSample> value) {
        out.gauge("redpanda_kafka_" + name, help + "; told by the leader");
        for (ReplicaSample sample : samples) {
            if (sample.leading()) {
                out.sample(
                        value.applyAsLong(sample),
                        "redpanda_namespace",
                        "kafka",
                        "redpanda_topic",
                        sample.topic(),
                        "redpanda_partition",
                        Integer.toString(sample.partition()));
            }
        }
    }
}
