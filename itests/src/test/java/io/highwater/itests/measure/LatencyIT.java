package io.highwater.itests.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A record is acknowledged when all have it, and its reader has it as soon. */
@Tag("measure")
class LatencyIT {
    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);
    private static final int RECORDS = 20_000;
    private static final int WARM_UP = 10_000;
    private static final long EVERY_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final AtomicLongArray sent = new AtomicLongArray(RECORDS);
    private final AtomicLongArray acknowledged = new AtomicLongArray(RECORDS);
    private final AtomicLongArray read = new AtomicLongArray(RECORDS);

    @Test
    void aReaderHasItWhenItIsAcknowledged(@TempDir Path directory) throws Exception {
        try (Bench bench = new Bench(directory, "")) {
            bench.createTopic(PARTITION.topic(), 1, Map.of("min.insync.replicas", "2"), 1, 2, 3);
            CompletableFuture<Void> reading = CompletableFuture.runAsync(() -> read(bench.servers()));

            write(bench.servers());
            reading.get(1, TimeUnit.MINUTES);

            double acknowledgedMs = quantile(0.5, sent, acknowledged);
            double behindMs = quantile(0.5, acknowledged, read);
            System.out.printf(
                    "1,000 records/s to three replicas with acks=all: acknowledged after %.2f ms (p50), %.2f ms (p99); read %.2f ms after the"
                            + " acknowledgement (p50)%n",
                    acknowledgedMs, quantile(0.99, sent, acknowledged), behindMs);
            assertThat(acknowledgedMs).as("ms").isLessThan(10);
            assertThat(behindMs).as("ms").isLessThan(5);
        }
    }

    private void write(String servers) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers, "acks", "all", "linger.ms", "0"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            long startNs = System.nanoTime();
            for (int i = 0; i < RECORDS; i++) {
                int number = i;
                LockSupport.parkNanos(startNs + i * EVERY_NS - System.nanoTime());
                sent.set(number, System.nanoTime());
                byte[] value = ByteBuffer.allocate(100).putInt(number).array();
                var unused = producer.send(
                        new ProducerRecord<>(PARTITION.topic(), value),
                        (done, failure) -> acknowledged.set(number, System.nanoTime()));
            }
        }
    }

    private void read(String servers) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "auto.offset.reset", "earliest"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(PARTITION));
            for (int seen = 0; seen < RECORDS; ) {
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofSeconds(1))) {
                    read.set(ByteBuffer.wrap(each.value()).getInt(), System.nanoTime());
                    seen++;
                }
            }
        }
    }

    /** Of the milliseconds from the one to the other, without those at the beginning. */
    private static double quantile(double quantile, AtomicLongArray from, AtomicLongArray to) {
        long[] nanos = IntStream.range(WARM_UP, RECORDS)
                .mapToLong(i -> to.get(i) - from.get(i))
                .sorted()
                .toArray();
        return nanos[(int) (quantile * (nanos.length - 1))] / 1e6;
    }
}
