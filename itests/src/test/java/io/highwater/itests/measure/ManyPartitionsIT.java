package io.highwater.itests.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One broker leads all partitions of a topic, and is killed; it comes back and catches up. */
@Tag("measure")
class ManyPartitionsIT {
    private static final int FEW = 100;
    private static final int MANY = 2_000;
    private static final int BYTES_PER_PARTITION = 64 << 10;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Test
    void electionsTakeLittleTimeForEachPartition(@TempDir Path directory) throws Exception {
        double few = secondsUntilAllAreLed(directory.resolve("few"), FEW);
        double many = secondsUntilAllAreLed(directory.resolve("many"), MANY);

        double each = (many - few) / (MANY - FEW) * 1_000;
        System.out.printf(
                "kill -9 of the leader of %d partitions: all led again after %.2f s; of %d: %.2f s; %.2f ms for each partition more%n",
                FEW, few, MANY, many, each);
        assertThat(each).as("ms").isLessThan(2);
    }

    @Test
    void oneFetcherCatchesUpThousandsOfPartitionsAsFourDo(@TempDir Path directory) throws Exception {
        double one = secondsToCatchUp(directory.resolve("one"), 1);
        double four = secondsToCatchUp(directory.resolve("four"), 4);

        System.out.printf(
                "a broker that was killed catches up %d KiB in each of %d partitions: in sync after %.1f s with one fetcher, %.1f s with four%n",
                BYTES_PER_PARTITION >> 10, MANY, one, four);
        assertThat(one).isLessThan(2 * four + 5);
    }

    private static double secondsUntilAllAreLed(Path directory, int partitions) throws Exception {
        try (Bench bench = new Bench(directory, "")) {
            int leader = bench.notTheController();
            bench.createTopic("orders", partitions, Map.of(), leader, leader % 3 + 1);
            long startNs = System.nanoTime();
            bench.node(leader).kill();
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(20))
                    .ignoreExceptions()
                    .until(() -> leaders(bench).stream()
                            .allMatch(each -> each != null && !each.isEmpty() && each.id() != leader));
            return (System.nanoTime() - startNs) / 1e9;
        }
    }

    private static List<@Nullable Node> leaders(Bench bench) throws Exception {
        return bench.admin().describeTopics(List.of("orders")).allTopicNames().get().values().stream()
                .flatMap(topic -> topic.partitions().stream())
                .<@Nullable Node>map(TopicPartitionInfo::leader)
                .toList();
    }

    private static double secondsToCatchUp(Path directory, int fetchers) throws Exception {
        try (Bench bench = new Bench(directory, "num.replica.fetchers=" + fetchers)) {
            int follower = bench.notTheController();
            bench.createTopic("orders", MANY, Map.of(), follower % 3 + 1, follower);
            bench.node(follower).kill();
            bench.awaitIsr("orders", 1);
            try (Writer writer = new Writer(bench.servers(), "orders", MANY, "1")) {
                writer.write((long) MANY * BYTES_PER_PARTITION);
            }
            long startNs = System.nanoTime();
            bench.node(follower).start();
            bench.awaitIsr("orders", 2);
            return (System.nanoTime() - startNs) / 1e9;
        }
    }
}
