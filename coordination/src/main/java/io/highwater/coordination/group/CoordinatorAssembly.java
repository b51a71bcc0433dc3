package io.highwater.coordination.group;

import com.yammer.metrics.core.Gauge;
import com.yammer.metrics.core.MetricsRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.coordinator.group.GroupCoordinatorService;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorMetrics;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorRuntimeMetrics;
import org.apache.kafka.server.share.persister.NoOpStatePersister;
import org.apache.kafka.server.util.PartitionMetadataClient;
import org.apache.kafka.server.util.timer.SystemTimer;
import org.apache.kafka.server.util.timer.SystemTimerReaper;

/** Builds the library's coordinator with all that it wants around it. Used once. */
final class CoordinatorAssembly {
    private final int nodeId;
    private final GroupSettings settings;
    private final OffsetsPartitions partitions;
    private final LeaderTerms terms = new LeaderTerms();
    private final Metrics metrics = new Metrics();
    private final MetricsRegistry olderMetrics = new MetricsRegistry();

    CoordinatorAssembly(int nodeId, GroupSettings settings, OffsetsPartitions partitions) {
        this.nodeId = nodeId;
        this.settings = settings;
        this.partitions = partitions;
    }

    LeaderTerms terms() {
        return terms;
    }

    GroupCoordinatorService build() {
        return new GroupCoordinatorService.Builder(nodeId, settings.coordinator())
                .withTime(Time.SYSTEM)
                .withTimer(new SystemTimerReaper("group-coordinator-reaper", new SystemTimer("group-coordinator")))
                .withLoader(new OffsetsLoader(
                        partitions,
                        terms,
                        new GroupCoordinatorRecordSerde(),
                        settings.coordinator().offsetsLoadBufferSize()))
                .withWriter(new OffsetsWriter(partitions, terms))
                .withCoordinatorRuntimeMetrics(new GroupCoordinatorRuntimeMetrics(metrics))
                .withGroupCoordinatorMetrics(new GroupCoordinatorMetrics(olderMetrics, metrics))
                .withGroupConfigManager(new GroupConfigManager(settings.coordinator(), settings.shareGroups()))
                .withPersister(new NoOpStatePersister())
                .withAuthorizerPlugin(Optional.empty())
                .withPartitionMetadataClient(new NoShareGroupOffsets())
                .build();
    }

    Collection<GroupMetric> metrics() {
        return metrics.metrics().values().stream()
                .filter(metric -> metric.metricName().group().equals(GroupCoordinatorMetrics.METRICS_GROUP))
                .filter(metric -> metric.metricValue() instanceof Number)
                .map(CoordinatorAssembly::read)
                .collect(Collectors.toList());
    }

    Collection<GroupMetric> olderMetrics() {
        List<GroupMetric> all = new ArrayList<>();
        olderMetrics.allMetrics().forEach((name, metric) -> {
            if (metric instanceof Gauge<?> gauge && gauge.value() instanceof Number number) {
                all.add(new GroupMetric(name.getName(), Map.of(), number.doubleValue()));
            }
        });
        return all;
    }

    void closeMetrics() {
        olderMetrics.shutdown();
        metrics.close();
    }

    private static GroupMetric read(KafkaMetric metric) {
        double value = ((Number) metric.metricValue()).doubleValue();
        return new GroupMetric(metric.metricName().name(), metric.metricName().tags(), value);
    }

    /** Only descriptions of share groups ask for log ends, and the facade offers none. */
    private static final class NoShareGroupOffsets implements PartitionMetadataClient {
        @Override
        public Map<TopicPartition, CompletableFuture<OffsetResponse>> listLatestOffsets(Set<TopicPartition> asked) {
            return asked.stream()
                    .collect(Collectors.toMap(
                            partition -> partition,
                            partition -> CompletableFuture.completedFuture(
                                    new OffsetResponse(-1, Errors.UNSUPPORTED_VERSION))));
        }

        @Override
        public void close() {}
    }
}
