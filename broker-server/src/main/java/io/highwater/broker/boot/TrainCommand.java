package io.highwater.broker.boot;

import io.highwater.broker.config.BrokerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * {@code highwater train}: a broker's whole life in a few seconds, on a temporary directory and free ports. The launcher runs it once under
 * {@code -XX:ArchiveClassesAtExit}, so that later starts find the classes they need parsed and checked.
 */
final class TrainCommand implements Command {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Override
    public int run(Arguments arguments) throws Exception {
        Path directory = Files.createTempDirectory("highwater-train-");
        try {
            Broker broker = Broker.start(BrokerConfig.load(null, settings(directory)), "training", new StopRequest());
            try {
                boolean read = writeAndRead("127.0.0.1:" + broker.ports().get("PLAINTEXT"));
                return read ? 0 : 1;
            } finally {
                broker.stop();
            }
        } finally {
            delete(directory);
        }
    }

    private static Map<String, String> settings(Path directory) {
        Map<String, String> settings = new HashMap<>();
        settings.put("listeners", "PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:0");
        settings.put("log.dirs", directory.toString());
        settings.put("offsets.topic.num.partitions", "1");
        settings.put("highwater.http.port", "0");
        return settings;
    }

    private static boolean writeAndRead(String servers) throws Exception {
        Map<String, Object> common =
                Map.of("bootstrap.servers", servers, "group.id", "train", "auto.offset.reset", "earliest");
        try (KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(common, new ByteArraySerializer(), new ByteArraySerializer());
                KafkaConsumer<byte[], byte[]> consumer =
                        new KafkaConsumer<>(common, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            producer.send(new ProducerRecord<>("train", new byte[] {1})).get();
            consumer.subscribe(List.of("train"));
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            boolean read = false;
            while (!read && System.nanoTime() < deadline) {
                read = !consumer.poll(Duration.ofMillis(200)).isEmpty();
            }
            consumer.commitSync();
            return read;
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
