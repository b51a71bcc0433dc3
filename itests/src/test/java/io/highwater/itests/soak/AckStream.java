package io.highwater.itests.soak;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.serialization.StringSerializer;

/** Sends a small record every few milliseconds, idempotent and with acks=all, and notes when acknowledgements come. */
final class AckStream implements AutoCloseable {
    private static final long EVERY_MS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final KafkaProducer<String, String> producer;
    private final String topic;
    private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor();
    private final Object monitor = new Object();
    private long acks;
    private long lastAckNs = System.nanoTime();
    private long longestNs;
    private long lastAckMs;
    private long silentFromMs;
    private long silentUntilMs;

    /** Starts. */
    AckStream(String servers, String topic) {
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers, "acks", "all", "linger.ms", "0"),
                new StringSerializer(),
                new StringSerializer());
        this.topic = topic;
        var unused = sender.scheduleAtFixedRate(this::send, 0, EVERY_MS, TimeUnit.MILLISECONDS);
    }

    private void send() {
        var unused = producer.send(new ProducerRecord<>(topic, "x"), (sent, failure) -> {
            if (failure == null) {
                onAck(System.nanoTime(), System.currentTimeMillis());
            }
        });
    }

    private void onAck(long nowNs, long wallMs) {
        synchronized (monitor) {
            acks++;
            if (nowNs - lastAckNs > longestNs) {
                longestNs = nowNs - lastAckNs;
                silentFromMs = lastAckMs;
                silentUntilMs = wallMs;
            }
            lastAckNs = nowNs;
            lastAckMs = wallMs;
        }
    }

    /** The longest time without an acknowledgement, in milliseconds, while that happens. */
    long longestSilence(Runnable death) {
        synchronized (monitor) {
            longestNs = 0;
        }
        death.run();
        synchronized (monitor) {
            return TimeUnit.NANOSECONDS.toMillis(longestNs);
        }
    }

    /** When the last acknowledgement before the longest silence came, since 1970. */
    long silentFromMs() {
        synchronized (monitor) {
            return silentFromMs;
        }
    }

    /** When the first acknowledgement after the longest silence came, since 1970. */
    long silentUntilMs() {
        synchronized (monitor) {
            return silentUntilMs;
        }
    }

    /** Returns when the producer knows of another leader of the first partition than that one: what the clock says then. */
    long awaitOtherLeader(int id) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(() -> {
            Node leader = producer.partitionsFor(topic).get(0).leader();
            return leader != null && !leader.isEmpty() && leader.id() != id;
        });
        return System.currentTimeMillis();
    }

    void awaitMore(long count) {
        long before = acks();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(() -> acks() >= before + count);
    }

    private long acks() {
        synchronized (monitor) {
            return acks;
        }
    }

    @Override
    public void close() {
        sender.shutdownNow();
        producer.close(Duration.ZERO);
    }
}
