package io.highwater.itests;

import io.highwater.testkit.HighwaterTestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A stock consumer on a thread of its own, which polls until it is closed and commits what it has read. */
final class Member implements AutoCloseable {
    private final KafkaConsumer<String, String> consumer;
    private final List<String> values = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile Set<TopicPartition> assignment = Set.of();
    private volatile boolean closing;

    Member(HighwaterTestCluster cluster, GroupProtocol protocol, String group, String topic) {
        this(cluster.bootstrapServers(), protocol, group, topic);
    }

    Member(String servers, GroupProtocol protocol, String group, String topic) {
        this(servers, protocol, group, Map.of(), consumer -> consumer.subscribe(List.of(topic)));
    }

    Member(
            HighwaterTestCluster cluster,
            GroupProtocol protocol,
            String group,
            Map<String, Object> settings,
            Consumer<KafkaConsumer<String, String>> subscribe) {
        this(cluster.bootstrapServers(), protocol, group, settings, subscribe);
    }

    private Member(
            String servers,
            GroupProtocol protocol,
            String group,
            Map<String, Object> settings,
            Consumer<KafkaConsumer<String, String>> subscribe) {
        Map<String, Object> all = new HashMap<>(Map.of(
                "bootstrap.servers",
                servers,
                "group.id",
                group,
                "group.protocol",
                protocol.name(),
                "auto.offset.reset",
                "earliest",
                "metadata.max.age.ms",
                "1000",
                "enable.auto.commit",
                "false"));
        if (protocol == GroupProtocol.CLASSIC) {
            all.put("heartbeat.interval.ms", "200");
        }
        all.putAll(settings);
        this.consumer = new KafkaConsumer<>(all, new StringDeserializer(), new StringDeserializer());
        subscribe.accept(consumer);
        this.thread = new Thread(this::run, "member of " + group);
        thread.start();
    }

    private void run() {
        try (consumer) {
            while (!closing) {
                List<String> read = new ArrayList<>();
                consumer.poll(Duration.ofMillis(100)).forEach(record -> read.add(record.value()));
                if (!read.isEmpty()) {
                    consumer.commitSync();
                    values.addAll(read);
                }
                assignment = Set.copyOf(consumer.assignment());
            }
        } catch (WakeupException e) {
            assert closing;
        }
    }

    /** Read and committed, in order. */
    List<String> values() {
        return values;
    }

    Set<TopicPartition> assignment() {
        return assignment;
    }

    @Override
    public void close() {
        closing = true;
        consumer.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
