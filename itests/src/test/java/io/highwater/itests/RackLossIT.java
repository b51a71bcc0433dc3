package io.highwater.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.testkit.HighwaterTestCluster;
import io.highwater.testkit.PartitionCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** Six brokers in three racks. */
class RackLossIT {
    private static final String TOPIC = "orders";
    private static final int PARTITIONS = 6;
    private static final List<String> RACKS = List.of("a", "a", "b", "b", "c", "c");

    @Test
    void aRackMayDieWhileRecordsAreWritten() throws Exception {
        try (HighwaterTestCluster cluster = start()) {
            cluster.createTopic(TOPIC, PARTITIONS, 3, Map.of("min.insync.replicas", "2"));
            for (int partition = 0; partition < PARTITIONS; partition++) {
                assertThat(cluster.state(TOPIC, partition).assignedReplicas().stream()
                                .map(RackLossIT::rack))
                        .containsExactlyInAnyOrder("a", "b", "c");
            }
            ConcurrentLinkedQueue<String> acknowledged = new ConcurrentLinkedQueue<>();
            AtomicBoolean over = new AtomicBoolean();
            AtomicReference<Exception> failure = new AtomicReference<>();
            Background<Void> writing = new Background<>(() -> {
                write(cluster.bootstrapServers(), acknowledged, failure, over);
                return null;
            });
            try {
                awaitMore(cluster, 20);

                cluster.broker(3).kill();
                cluster.broker(4).kill();

                for (int partition = 0; partition < PARTITIONS; partition++) {
                    cluster.await(
                            TOPIC,
                            partition,
                            PartitionCondition.led()
                                    .and(PartitionCondition.of(
                                            "two in sync",
                                            state -> state.inSyncReplicas().size() == 2)));
                }
                awaitMore(cluster, 20);
            } finally {
                over.set(true);
                writing.result();
            }

            assertThat(failure).hasValue(null);
            assertThat(Clients.readValues(cluster.bootstrapServers(), TOPIC))
                    .containsExactlyInAnyOrderElementsOf(acknowledged);
        }
    }

    private static HighwaterTestCluster start() {
        HighwaterTestCluster.Builder builder =
                HighwaterTestCluster.builder().brokers(RACKS.size()).config("auto.leader.rebalance.enable", "false");
        for (int id = 1; id <= RACKS.size(); id++) {
            builder.config(id, "broker.rack", rack(id));
        }
        return builder.start();
    }

    private static String rack(int brokerId) {
        return RACKS.get(brokerId - 1);
    }

    /** To all partitions in turn, a few at a time. */
    private static void write(
            String servers,
            ConcurrentLinkedQueue<String> acknowledged,
            AtomicReference<Exception> failure,
            AtomicBoolean over) {
        try (KafkaProducer<String, String> producer =
                Clients.producer(servers, Map.of("acks", "all", "linger.ms", "5"))) {
            for (int i = 0; !over.get(); i++) {
                String value = "record " + i;
                var unused =
                        producer.send(new ProducerRecord<>(TOPIC, i % PARTITIONS, null, value), (sent, refusal) -> {
                            if (refusal == null) {
                                acknowledged.add(value);
                            } else {
                                failure.set(refusal);
                            }
                        });
                if (i % 100 == 99) {
                    producer.flush();
                }
            }
        }
    }

    /** Every partition commits so many more. */
    private static void awaitMore(HighwaterTestCluster cluster, int records) {
        List<Long> from = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            from.add(cluster.state(TOPIC, partition).highWatermark());
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
            long wanted = from.get(partition) + records;
            cluster.await(
                    TOPIC,
                    partition,
                    PartitionCondition.of("HW " + wanted + " or more", state -> state.highWatermark() >= wanted));
        }
    }
}
