package io.highwater.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.metrics.Dialects;
import io.highwater.broker.metrics.Metrics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScrapeTest {
    @TempDir
    private Path directory;

    /** A reader of metrics that takes its time holds up no producer: while text is written no partition is locked. */
    @Test
    void aSlowScrapeLocksNoPartition() throws Exception {
        try (TestNode node = new TestNode(directory)) {
            node.create("orders", 2);
            Metrics metrics = new Metrics(Dialects.usual());
            metrics.replicas().watch(node.partitions::sample, node.partitions::offlineCount);
            List<Errors> written = new ArrayList<>();

            metrics.scrape((text, length) -> {
                for (int partition = 0; partition < 2; partition++) {
                    written.add(produceFromElsewhere(node, partition));
                }
            });

            assertThat(written).isNotEmpty().containsOnly(Errors.NONE);
        }
    }

    private static Errors produceFromElsewhere(TestNode node, int partition) {
        Partition hosted = Objects.requireNonNull(
                node.partitions.lookup("orders", partition).partition());
        MemoryRecords records =
                MemoryRecords.withRecords(Compression.NONE, new SimpleRecord("a".getBytes(StandardCharsets.UTF_8)));
        return CompletableFuture.supplyAsync(
                        () -> hosted.produce(records, (short) 1, 0).result().error())
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }
}
