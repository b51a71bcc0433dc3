package io.highwater.itests.soak;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;

/** A stock idempotent producer at a steady rate and a stock consumer that reads along, both keeping the {@link Ledger}s. */
final class Load {
    private static final int RECORD_BYTES = 100;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final String servers;
    private final String topic;
    private final int ratePerSecond;
    private final List<Ledger> ledgers = new ArrayList<>();
    private final AtomicBoolean producing = new AtomicBoolean(true);
    private final AtomicBoolean consuming = new AtomicBoolean(true);
    private final Thread producer = new Thread(this::produce, "soak-producer");
    private final Thread consumer = new Thread(this::consume, "soak-consumer");
    private final Queue<Throwable> broken = new ConcurrentLinkedQueue<>();
    private final AtomicLong acknowledged = new AtomicLong();
    private long longestSilenceNs;
    private volatile long acknowledgedAtNs;

    Load(String servers, String topic, int partitions, int ratePerSecond) {
        this.servers = servers;
        this.topic = topic;
        this.ratePerSecond = ratePerSecond;
        for (int i = 0; i < partitions; i++) {
            ledgers.add(new Ledger());
        }
        producer.setUncaughtExceptionHandler((thread, cause) -> broken.add(cause));
        consumer.setUncaughtExceptionHandler((thread, cause) -> broken.add(cause));
    }

    void start() {
        acknowledgedAtNs = System.nanoTime();
        producer.start();
        consumer.start();
    }

    /** Returns when so many more records have been acknowledged. */
    void awaitMore(int records) {
        long until = acknowledged.get() + records;
        Awaitility.await().atMost(PATIENCE).until(() -> acknowledged.get() >= until || !broken.isEmpty());
    }

    /** Returns when every record is acknowledged or has failed, and both clients have ended; fails if one of them gave up. */
    void stop() throws InterruptedException {
        producing.set(false);
        producer.join();
        consuming.set(false);
        consumer.join();
        if (!broken.isEmpty()) {
            throw new AssertionError("a client gave up", broken.peek());
        }
    }

    /** Reads the whole topic once more; gives what there is to say about all of it. */
    Ledger.Findings readBack() {
        try (KafkaConsumer<byte[], byte[]> reader = consumer()) {
            reader.assign(partitions());
            reader.seekToBeginning(partitions());
            Map<TopicPartition, Long> ends = reader.endOffsets(partitions());
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (partitions().stream().anyMatch(one -> reader.position(one) < ends.getOrDefault(one, 0L))) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("could not read " + topic + " back up to " + ends);
                }
                for (ConsumerRecord<byte[], byte[]> one : reader.poll(Duration.ofMillis(200))) {
                    ledgers.get(one.partition()).onFinal(one.offset(), value(one));
                }
            }
        }
        return ledgers.stream().map(Ledger::findings).reduce(Ledger.Findings.NONE, Ledger.Findings::plus);
    }

    /** The longest time without any acknowledgement while producing, in milliseconds. */
    long longestSilenceMs() {
        return TimeUnit.NANOSECONDS.toMillis(longestSilenceNs);
    }

    private void produce() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", servers);
        settings.put("acks", "all");
        settings.put("enable.idempotence", "true");
        settings.put("delivery.timeout.ms", "180000");
        settings.put("request.timeout.ms", "10000");
        settings.put("linger.ms", "2");
        settings.put("buffer.memory", "67108864");
        settings.put("max.block.ms", "180000");
        try (KafkaProducer<byte[], byte[]> client =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            long startNs = System.nanoTime();
            long count = 0;
            while (producing.get()) {
                long dueNs = startNs + count * TimeUnit.SECONDS.toNanos(1) / ratePerSecond;
                long aheadNs = dueNs - System.nanoTime();
                if (aheadNs > 0) {
                    LockSupport.parkNanos(aheadNs);
                    continue;
                }
                send(client, (int) (count++ % ledgers.size()));
            }
            client.flush();
        }
    }

    private void send(KafkaProducer<byte[], byte[]> client, int partition) {
        Ledger ledger = ledgers.get(partition);
        int value = ledger.nextValue();
        byte[] bytes = ByteBuffer.allocate(RECORD_BYTES).putInt(value).array();
        Future<RecordMetadata> unused =
                client.send(new ProducerRecord<>(topic, partition, null, bytes), (metadata, failure) -> {
                    if (failure == null) {
                        ledger.onAcknowledged(value, metadata.offset());
                        acknowledged.incrementAndGet();
                        long nowNs = System.nanoTime();
                        longestSilenceNs = Math.max(longestSilenceNs, nowNs - acknowledgedAtNs);
                        acknowledgedAtNs = nowNs;
                    } else {
                        ledger.onFailed();
                    }
                });
    }

    private void consume() {
        try (KafkaConsumer<byte[], byte[]> client = consumer()) {
            client.assign(partitions());
            client.seekToBeginning(partitions());
            while (consuming.get()) {
                for (ConsumerRecord<byte[], byte[]> one : client.poll(Duration.ofMillis(200))) {
                    ledgers.get(one.partition()).onSeen(one.offset(), value(one));
                }
            }
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "auto.offset.reset", "none"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private List<TopicPartition> partitions() {
        List<TopicPartition> all = new ArrayList<>();
        for (int i = 0; i < ledgers.size(); i++) {
            all.add(new TopicPartition(topic, i));
        }
        return all;
    }

    private static int value(ConsumerRecord<byte[], byte[]> one) {
        return ByteBuffer.wrap(one.value()).getInt();
    }
}
