package io.highwater.itests.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A partition gets a third replica while all brokers are written to as fast as they can; who is late for two seconds is out of sync. */
@Tag("measure")
class MoveIT {
    private static final String MOVED = "moved";
    private static final String BUSY = "busy";
    private static final int BUSY_PARTITIONS = 6;
    private static final long BYTES = 512L << 20;
    private static final String RATE = Integer.toString(32 << 20);

    @Test
    void aMoveThatIsHeldBackPushesNobodyOut(@TempDir Path directory) throws Exception {
        try (Bench bench = new Bench(directory, "replica.lag.time.max.ms=2000")) {
            bench.createTopic(
                    BUSY, BUSY_PARTITIONS, Map.of("retention.bytes", "67108864", "segment.bytes", "33554432"), 1, 2, 3);
            bench.createTopic(MOVED, 1, Map.of(), 1, 2);
            try (Writer writer = new Writer(bench.servers(), MOVED, 1, "1")) {
                writer.write(BYTES);
            }
            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
                try (Writer writer = new Writer(bench.servers(), BUSY, BUSY_PARTITIONS, "all")) {
                    while (!over.get()) {
                        writer.write(8 << 20);
                    }
                }
            });
            try {
                Move free = move(bench);
                reassign(bench, 1, 2);
                bench.awaitIsr(MOVED, 2);
                for (String id : List.of("1", "2", "3")) {
                    bench.set(
                            ConfigResource.Type.BROKER,
                            id,
                            Map.of(
                                    "leader.replication.throttled.rate",
                                    RATE,
                                    "follower.replication.throttled.rate",
                                    RATE));
                }
                bench.set(
                        ConfigResource.Type.TOPIC,
                        MOVED,
                        Map.of(
                                "leader.replication.throttled.replicas", "0:1,0:2",
                                "follower.replication.throttled.replicas", "0:3"));
                Move held = move(bench);

                System.out.printf(
                        "512 MiB get a third replica at full load: %.1f s and %.0f shrinks of in-sync replicas; held to 32 MiB/s: %.1f s and %.0f%n",
                        free.seconds(), free.shrinks(), held.seconds(), held.shrinks());
                assertThat(held.shrinks()).isZero();
            } finally {
                over.set(true);
                load.join();
            }
        }
    }

    private record Move(double seconds, double shrinks) {}

    private static Move move(Bench bench) throws Exception {
        double before = shrinks(bench);
        long startNs = System.nanoTime();
        reassign(bench, 1, 2, 3);
        bench.awaitIsr(MOVED, 3);
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> bench.admin()
                        .listPartitionReassignments()
                        .reassignments()
                        .get()
                        .isEmpty());
        return new Move((System.nanoTime() - startNs) / 1e9, shrinks(bench) - before);
    }

    private static void reassign(Bench bench, Integer... replicas) throws Exception {
        bench.admin()
                .alterPartitionReassignments(Map.of(
                        new TopicPartition(MOVED, 0), Optional.of(new NewPartitionReassignment(List.of(replicas)))))
                .all()
                .get();
    }

    private static double shrinks(Bench bench) {
        return IntStream.rangeClosed(1, 3)
                .mapToDouble(id -> bench.scrape(id).value("kafka_server_replicamanager_isrshrinks_total"))
                .sum();
    }
}
