package io.highwater.itests;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Stock clients, in one line each. */
final class Clients {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Clients() {}

    static KafkaProducer<String, String> producer(String servers, Map<String, String> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", servers);
        return new KafkaProducer<>(all, new StringSerializer(), new StringSerializer());
    }

    static KafkaConsumer<String, String> consumer(String servers, Map<String, String> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", servers);
        all.putIfAbsent("auto.offset.reset", "earliest");
        return new KafkaConsumer<>(all, new StringDeserializer(), new StringDeserializer());
    }

    /** Writes the records and returns when all are acknowledged. */
    static void write(String servers, List<ProducerRecord<String, String>> records, Map<String, String> settings) {
        try (KafkaProducer<String, String> producer = producer(servers, settings)) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            records.forEach(one -> sent.add(producer.send(one)));
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError("could not write", e);
        }
    }

    /** Writes {@code name-from} to {@code name-(to - 1)}. */
    static List<String> writeNumbered(String servers, String topic, int from, int to, Map<String, String> settings) {
        List<String> values =
                IntStream.range(from, to).mapToObj(i -> topic + "-" + i).toList();
        write(
                servers,
                values.stream().map(v -> new ProducerRecord<>(topic, v, v)).toList(),
                settings);
        return values;
    }

    /** Reads a whole topic up to the ends it has now, partition after partition. */
    static List<ConsumerRecord<String, String>> readAll(String servers, String topic) {
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = consumer(servers, Map.of())) {
            List<TopicPartition> partitions = new ArrayList<>();
            for (PartitionInfo info : consumer.partitionsFor(topic)) {
                partitions.add(new TopicPartition(topic, info.partition()));
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (partitions.stream().anyMatch(one -> consumer.position(one) < ends.get(one))) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("only " + records.size() + " records of " + topic + " until " + ends);
                }
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
        }
        return records;
    }

    /** The partitions of a topic, by index, as its description tells them. */
    static List<TopicPartitionInfo> described(Admin admin, String topic) {
        try {
            return admin.describeTopics(List.of(topic))
                    .allTopicNames()
                    .get()
                    .get(topic)
                    .partitions();
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError("could not describe " + topic, e);
        }
    }

    static List<String> readValues(String servers, String topic) {
        return readAll(servers, topic).stream().map(ConsumerRecord::value).toList();
    }
}
