package io.highwater.itests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an idempotent producer is promised when the broker is killed under it, again and again. */
class KilledBrokerIT {
    private static final String TOPIC = "killed";
    private static final int KILLS = Integer.getInteger("highwater.kills", 3);
    private static final int ACKNOWLEDGED_BETWEEN_KILLS = 3_000;

    /** Bounds what is under way, so that the log stays small enough to be read back whole. */
    private static final int UNDER_WAY = 500;

    private final AtomicInteger acknowledged = new AtomicInteger();
    private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();

    @Test
    void everyAcknowledgedRecordIsThereOnceAndInOrder(@TempDir Path directory) throws Exception {
        int sent;
        try (BrokerProcess broker = new BrokerProcess(directory)) {
            broker.startHighwater();
            broker.createTopic(TOPIC, Map.of());
            AtomicBoolean enough = new AtomicBoolean();
            try (KafkaProducer<String, String> producer =
                    Clients.producer(broker.address(), Map.of("delivery.timeout.ms", "180000", "linger.ms", "1"))) {
                AtomicInteger next = new AtomicInteger();
                Thread load = new Thread(() -> produce(producer, next, enough), "load");
                load.start();
                for (int kill = 0; kill < KILLS; kill++) {
                    awaitAcknowledged(acknowledged.get() + ACKNOWLEDGED_BETWEEN_KILLS);
                    broker.kill();
                    broker.startHighwater();
                }
                awaitAcknowledged(acknowledged.get() + ACKNOWLEDGED_BETWEEN_KILLS);
                enough.set(true);
                load.join();
                producer.flush();
                sent = next.get();
            }

            assertThat(failures).isEmpty();
            assertThat(acknowledged).hasValue(sent);
            List<String> expected =
                    IntStream.range(0, sent).mapToObj(Integer::toString).toList();
            assertThat(Clients.readValues(broker.address(), TOPIC)).isEqualTo(expected);
        }
    }

    private void produce(KafkaProducer<String, String> producer, AtomicInteger next, AtomicBoolean enough) {
        Semaphore room = new Semaphore(UNDER_WAY);
        while (!enough.get()) {
            room.acquireUninterruptibly();
            Future<RecordMetadata> unused = producer.send(
                    new ProducerRecord<>(TOPIC, Integer.toString(next.getAndIncrement())), (metadata, failure) -> {
                        room.release();
                        if (failure == null) {
                            acknowledged.incrementAndGet();
                        } else {
                            failures.add(failure);
                        }
                    });
        }
    }

    private void awaitAcknowledged(int count) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> acknowledged.get() >= count || !failures.isEmpty());
    }
}
