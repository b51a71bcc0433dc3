package io.highwater.itests;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Runs on the jars of an old client line, in a process of its own; uses only what that line has. */
final class OldClientProgram {
    private static final int RECORDS = 500;
    private static final String TOPIC = "old-client";

    private OldClientProgram() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> servers = Map.of("bootstrap.servers", arguments[0]);
        try (Admin admin = Admin.create(servers)) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 3, (short) 1))).all().get();
        }
        Map<String, Object> idempotent =
                Map.of("bootstrap.servers", arguments[0], "enable.idempotence", true, "compression.type", "lz4");
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(idempotent, new StringSerializer(), new StringSerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < RECORDS; i++) {
                sent.add(producer.send(new ProducerRecord<>(TOPIC, "key-" + i, "value-" + i)));
            }
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        }
        Set<String> read = new HashSet<>();
        Map<String, Object> group =
                Map.of("bootstrap.servers", arguments[0], "group.id", TOPIC, "auto.offset.reset", "earliest");
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(group, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(TOPIC));
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (read.size() < RECORDS && System.nanoTime() < deadline) {
                for (ConsumerRecord<String, String> one : consumer.poll(Duration.ofMillis(100))) {
                    read.add(one.value());
                }
            }
            consumer.commitSync();
        }
        if (read.size() != RECORDS) {
            throw new AssertionError("only " + read.size() + " records came back");
        }
        System.out.println(version() + ": all " + RECORDS + " records came back");
    }

    private static String version() throws IOException {
        Properties properties = new Properties();
        try (InputStream file = KafkaProducer.class.getResourceAsStream("/kafka/kafka-version.properties")) {
            properties.load(file);
        }
        return properties.getProperty("version");
    }
}
