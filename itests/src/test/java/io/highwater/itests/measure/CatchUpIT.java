package io.highwater.itests.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A replica that has lost all it had gets one partition again, from broker 1; then a consumer reads the same. It all is in the page cache. CPU is that of
 * the leader's event loops: a process does other things meanwhile.
 */
@Tag("measure")
class CatchUpIT {
    private static final String TOPIC = "orders";
    private static final long BYTES = 1L << 30;
    private static final int MEBIBYTE = 1 << 20;

    /** @param fetches that the follower made, or -1 */
    private record Copy(double fetches, double seconds, double leaderCpuSeconds) {
        double cpuPerGb() {
            return leaderCpuSeconds / (BYTES / 1e9);
        }
    }

    @Test
    void largerFetchesNeedFewerRoundsAndFollowersCostWhatConsumersDo(@TempDir Path directory) throws Exception {
        try (Bench bench = new Bench(directory, "")) {
            bench.createTopic(TOPIC, 1, Map.of(), 1, 2);
            try (Writer writer = new Writer(bench.servers(), TOPIC, 1, "1")) {
                writer.write(BYTES);
            }
            bench.awaitIsr(TOPIC, 2);
            copied(bench, MEBIBYTE);
            read(bench);

            Copy small = copied(bench, MEBIBYTE);
            Copy large = copied(bench, 8 * MEBIBYTE);
            Copy consumed = read(bench);

            System.out.printf(
                    "a follower catches up 1 GiB of one partition: %.0f fetches, %.1f s, %.2f s/GB of the leader's event loops with 1 MiB each; %.0f, %.1f,"
                            + " %.2f with 8 MiB; a consumer with 1 MiB each: %.1f s, %.2f s/GB%n",
                    small.fetches(),
                    small.seconds(),
                    small.cpuPerGb(),
                    large.fetches(),
                    large.seconds(),
                    large.cpuPerGb(),
                    consumed.seconds(),
                    consumed.cpuPerGb());
            assertThat(large.fetches()).isLessThan(small.fetches() / 4);
            assertThat(small.cpuPerGb() / consumed.cpuPerGb())
                    .as("loop time of the leader, a follower's to a consumer's")
                    .isBetween(0.5, 2.0);
        }
    }

    private static Copy copied(Bench bench, int bytesPerFetch) throws IOException {
        bench.node(2).stop();
        bench.awaitIsr(TOPIC, 1);
        delete(bench.node(2).data().resolve(TOPIC + "-0"));
        bench.node(2).set("replica.fetch.max.bytes", Integer.toString(bytesPerFetch));
        double cpuBefore = bench.loopSeconds(1);
        long startNs = System.nanoTime();
        bench.node(2).start();
        bench.awaitIsr(TOPIC, 2);
        double seconds = (System.nanoTime() - startNs) / 1e9;
        double cpu = bench.loopSeconds(1) - cpuBefore;
        double fetches = bench.scrape(2)
                .value("kafka_server_fetcherstats_requests_total{clientId=\"ReplicaFetcherThread-0-1\",broker=\"1\"}");
        return new Copy(fetches, seconds, cpu);
    }

    private static Copy read(Bench bench) {
        TopicPartition partition = new TopicPartition(TOPIC, 0);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bench.servers()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            double cpuBefore = bench.loopSeconds(1);
            long startNs = System.nanoTime();
            long bytes = 0;
            while (bytes < BYTES) {
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofSeconds(1))) {
                    bytes += each.serializedValueSize();
                }
            }
            return new Copy(-1, (System.nanoTime() - startNs) / 1e9, bench.loopSeconds(1) - cpuBefore);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
