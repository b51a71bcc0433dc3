package io.highwater.itests.measure;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes records of 1 KiB to the partitions of a topic in turn, at a rate or as fast as it goes. */
final class Writer implements AutoCloseable {
    static final int RECORD_BYTES = 1024;
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final int partitions;
    private final byte[] value = new byte[RECORD_BYTES];
    private final AtomicInteger failed = new AtomicInteger();
    private int sent;

    Writer(String servers, String topic, int partitions, String acks) {
        this.topic = topic;
        this.partitions = partitions;
        this.producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers", servers,
                        "acks", acks,
                        "enable.idempotence", "false",
                        "linger.ms", "5",
                        "batch.size", "65536"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        new Random(1).nextBytes(value);
    }

    /** As fast as it goes; returns when all is acknowledged. */
    void write(long bytes) {
        for (long left = bytes; left > 0; left -= RECORD_BYTES) {
            send();
        }
        flush();
    }

    /** At a steady rate, and looks around every second. */
    void writeFor(int seconds, int bytesPerSecond, Runnable everySecond) {
        int ticksPerSecond = (int) (TimeUnit.SECONDS.toNanos(1) / TICK_NS);
        int perTick = bytesPerSecond / RECORD_BYTES / ticksPerSecond;
        long startNs = System.nanoTime();
        for (int tick = 1; tick <= seconds * ticksPerSecond; tick++) {
            for (int i = 0; i < perTick; i++) {
                send();
            }
            LockSupport.parkNanos(startNs + tick * TICK_NS - System.nanoTime());
            if (tick % ticksPerSecond == 0) {
                everySecond.run();
            }
        }
        flush();
    }

    private void send() {
        var unused = producer.send(new ProducerRecord<>(topic, sent++ % partitions, null, value), (done, failure) -> {
            if (failure != null) {
                failed.incrementAndGet();
            }
        });
    }

    private void flush() {
        producer.flush();
        if (failed.get() > 0) {
            throw new AssertionError(failed + " records were not taken");
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
