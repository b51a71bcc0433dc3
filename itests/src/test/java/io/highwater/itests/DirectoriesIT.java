package io.highwater.itests;

import static io.highwater.testkit.PartitionCondition.inSyncReplicas;
import static io.highwater.testkit.PartitionCondition.leader;
import static io.highwater.testkit.PartitionCondition.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highwater.testkit.HighwaterTestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartitionReplica;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker with several directories outlives the loss of one, and so do its partitions. */
class DirectoriesIT {
    @Test
    void onlyWhatALostDirectoryHeldIsLedElsewhere(@TempDir Path temporary) throws Exception {
        Path kept = temporary.resolve("kept");
        Path lost = temporary.resolve("lost");
        try (HighwaterTestCluster cluster = HighwaterTestCluster.builder()
                .brokers(3)
                .directory(temporary)
                .config("log.flush.offset.checkpoint.interval.ms", "200")
                .config("auto.leader.rebalance.enable", "false")
                .config(1, "log.dirs", kept + "," + lost)
                .start()) {
            cluster.createTopic("stays", List.of(List.of(1, 2)), Map.of());
            cluster.createTopic("goes", List.of(List.of(1, 2)), Map.of());
            Clients.writeNumbered(cluster.bootstrapServers(), "stays", 0, 10, Map.of());
            Clients.writeNumbered(cluster.bootstrapServers(), "goes", 0, 10, Map.of());
            move(cluster, "stays", lost);
            move(cluster, "stays", kept);
            move(cluster, "goes", lost);

            destroy(lost);

            cluster.await("goes", 0, leader(2).and(inSyncReplicas(2)));
            cluster.await("stays", 0, leader(1).and(whole()));
            Clients.writeNumbered(cluster.bootstrapServers(), "stays", 10, 20, Map.of());
            Clients.writeNumbered(cluster.bootstrapServers(), "goes", 10, 20, Map.of());
            assertThat(Clients.readValues(cluster.bootstrapServers(), "stays")).hasSize(20);
            assertThat(Clients.readValues(cluster.bootstrapServers(), "goes")).hasSize(20);
            assertThat(cluster.broker(1).isRunning()).isTrue();
        }
    }

    private static void move(HighwaterTestCluster cluster, String topic, Path to)
            throws ExecutionException, InterruptedException {
        TopicPartitionReplica replica = new TopicPartitionReplica(topic, 0, 1);
        cluster.admin()
                .alterReplicaLogDirs(Map.of(replica, to.toString()))
                .all()
                .get();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> to.toString()
                        .equals(cluster.admin()
                                .describeReplicaLogDirs(List.of(replica))
                                .all()
                                .get()
                                .get(replica)
                                .getCurrentReplicaLogDir()));
    }

    /** Leaves a file where the directory was, so that nothing can be written there again. */
    private static void destroy(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        Files.createFile(directory);
    }
}
