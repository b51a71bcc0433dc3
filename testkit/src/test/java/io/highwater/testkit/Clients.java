package io.highwater.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Stock clients for tests, in one line each. */
final class Clients {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Clients() {}

    /** A producer of strings. */
    static KafkaProducer<String, String> producer(HighwaterTestCluster cluster, Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", cluster.bootstrapServers());
        return new KafkaProducer<>(all, new StringSerializer(), new StringSerializer());
    }

    /** Writes the values to a topic and returns when all are acknowledged. */
    static void write(HighwaterTestCluster cluster, String topic, String... values) {
        try (KafkaProducer<String, String> producer = producer(cluster, Map.of())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (String value : values) {
                sent.add(producer.send(new ProducerRecord<>(topic, value)));
            }
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError("could not write to " + topic, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Reads from the start of a topic, in a new group, until {@code count} values are there or patience ends. */
    static List<String> read(HighwaterTestCluster cluster, String topic, int count) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                cluster.bootstrapServers(),
                "group.id",
                "readers-of-" + topic + "-" + System.nanoTime(),
                "auto.offset.reset",
                "earliest");
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(topic));
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (values.size() < count && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
            }
        }
        return values;
    }

    /** How many partitions the topic has. */
    static int partitionCount(HighwaterTestCluster cluster, String topic) {
        try {
            return Objects.requireNonNull(cluster.admin()
                            .describeTopics(List.of(topic))
                            .allTopicNames()
                            .get()
                            .get(topic))
                    .partitions()
                    .size();
        } catch (ExecutionException e) {
            throw new AssertionError("could not describe " + topic, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
