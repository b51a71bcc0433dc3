package io.highwater.itests.browser;

import io.highwater.testkit.HighwaterTestCluster;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;

/** A stock producer with acks=all. */
final class Writer implements AutoCloseable {
    private static final long LONGEST_WAIT_S = 60;

    private final KafkaProducer<String, String> producer;

    Writer(HighwaterTestCluster cluster) {
        producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        cluster.bootstrapServers(),
                        "acks",
                        "all",
                        "linger.ms",
                        "20",
                        "delivery.timeout.ms",
                        "90000",
                        "request.timeout.ms",
                        "60000"),
                new StringSerializer(),
                new StringSerializer());
    }

    /** Sends records and does not wait; the answer is the last one's. */
    Future<RecordMetadata> send(String topic, int partition, int count) {
        Future<RecordMetadata> last = producer.send(new ProducerRecord<>(topic, partition, "key", "1"));
        for (int i = 2; i <= count; i++) {
            last = producer.send(new ProducerRecord<>(topic, partition, "key", String.valueOf(i)));
        }
        return last;
    }

    static void await(Future<RecordMetadata> acknowledged) {
        try {
            acknowledged.get(LONGEST_WAIT_S, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("the records were not acknowledged", e);
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
