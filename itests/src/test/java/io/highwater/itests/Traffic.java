package io.highwater.itests;

import io.highwater.testkit.HighwaterTestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;

/** A client that is refused, a producer, and groups of both protocols that read after it, so that every kind of series has something to tell. Until closed. */
final class Traffic implements AutoCloseable {
    private final Background<Void> writing;
    private final List<Background<Void>> reading = new ArrayList<>();
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    Traffic(HighwaterTestCluster cluster, String topic) throws InterruptedException {
        beRefused(cluster);
        String servers = cluster.bootstrapServers();
        writing = new Background<>(() -> {
            try (KafkaProducer<String, String> producer =
                    Clients.producer(servers, Map.of("acks", "all", "linger.ms", "20"))) {
                while (!over) {
                    var unused = producer.send(new ProducerRecord<>(topic, "a record"));
                    producer.flush();
                }
            }
            return null;
        });
        for (String protocol : List.of("classic", "consumer")) {
            Map<String, String> settings = Map.of(
                    "group.id", protocol + "-readers", "group.protocol", protocol, "auto.commit.interval.ms", "500");
            reading.add(new Background<>(() -> {
                try (KafkaConsumer<String, String> consumer = Clients.consumer(servers, settings)) {
                    consumer.subscribe(List.of(topic));
                    while (!over) {
                        if (!consumer.poll(Duration.ofMillis(100)).isEmpty()) {
                            underWay.add(protocol);
                        }
                    }
                }
                return null;
            }));
        }
    }

    private static void beRefused(HighwaterTestCluster cluster) throws InterruptedException {
        try {
            cluster.admin()
                    .describeTopics(List.of("there-is-none"))
                    .allTopicNames()
                    .get();
            throw new AssertionError("there is one");
        } catch (ExecutionException expected) {
            // as it should be: there is an error to be told
        }
    }

    /** Returns when both groups have read something. */
    void awaitUnderWay() {
        Awaitility.await().until(() -> underWay.size() == reading.size());
    }

    @Override
    public void close() {
        over = true;
        try {
            writing.result();
            for (Background<Void> each : reading) {
                each.result();
            }
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError("the traffic broke down", e);
        }
    }
}
