package io.highwater.itests;

import static io.highwater.testkit.PartitionCondition.highWatermark;
import static io.highwater.testkit.PartitionCondition.inSyncReplicasAtLeader;
import static io.highwater.testkit.PartitionCondition.leader;
import static io.highwater.testkit.PartitionCondition.logEndOffset;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highwater.testkit.HeldRequests;
import io.highwater.testkit.HighwaterCluster;
import io.highwater.testkit.HighwaterTestCluster;
import io.highwater.testkit.PartitionCondition;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.DeletedRecords;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OffsetOutOfRangeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What the leader promises while it has too few followers in sync, and what it does not promise. */
@HighwaterCluster(
        brokers = 3,
        config = {"auto.leader.rebalance.enable=false", "replica.lag.time.max.ms=2000"})
class MinInSyncIT {
    private final HighwaterTestCluster cluster;
    private String topic = "";

    MinInSyncIT(HighwaterTestCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void twoReplicasBothNeeded(TestInfo test) {
        topic = test.getTestMethod().orElseThrow().getName();
        cluster.createTopic(topic, List.of(List.of(1, 2)), Map.of("min.insync.replicas", "2"));
    }

    @AfterEach
    void everybodyBack() {
        cluster.endFaults();
        cluster.startAll();
    }

    @Test
    void nothingIsWrittenWhereTooFewAreInSync() {
        write(0, 3);
        cluster.broker(2).stop();
        cluster.await(topic, 0, inSyncReplicasAtLeader(1));

        try (KafkaProducer<String, String> producer = impatient()) {
            Future<RecordMetadata> refused = producer.send(new ProducerRecord<>(topic, "refused"));

            assertThatThrownBy(refused::get).hasCauseInstanceOf(NotEnoughReplicasException.class);
        }
        assertThat(cluster.state(topic, 0).logEndOffset(1)).isEqualTo(3);
        cluster.broker(2).start();
        cluster.await(topic, 0, inSyncReplicasAtLeader(1, 2));
        write(3, 4);
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).hasSize(4);
    }

    /** The high watermark stands still while too few are in sync, so nothing can be said about the record before its time is over. */
    @Test
    void whatWasAppendedBeforeTooFewWereLeftIsNotPromised() {
        write(0, 3);
        try (HeldRequests fetches = cluster.broker(1)
                        .requests(ApiKeys.FETCH)
                        .fromBroker(2)
                        .onTopic(topic)
                        .hold();
                KafkaProducer<String, String> producer = impatient()) {
            fetches.await(1);

            Future<RecordMetadata> unsure = producer.send(new ProducerRecord<>(topic, "unsure"));

            cluster.await(topic, 0, inSyncReplicasAtLeader(1));
            assertThat(cluster.state(topic, 0).logEndOffset(1)).isEqualTo(4);
            assertThat(cluster.state(topic, 0).highWatermark()).isEqualTo(3);
            assertThatThrownBy(unsure::get).hasCauseInstanceOf(TimeoutException.class);
        }
        cluster.await(topic, 0, inSyncReplicasAtLeader(1, 2).and(highWatermark(4)));
    }

    @Test
    void recordsOfOneAcknowledgementStayUnseenUntilEnoughAreInSync() {
        cluster.broker(2).stop();
        cluster.await(topic, 0, inSyncReplicasAtLeader(1));

        Clients.writeNumbered(cluster.bootstrapServers(), topic, 0, 3, Map.of("acks", "1"));

        assertThat(cluster.state(topic, 0).logEndOffset(1)).isEqualTo(3);
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).isEmpty();
        cluster.broker(2).start();
        cluster.await(topic, 0, inSyncReplicasAtLeader(1, 2).and(highWatermark(3)));
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).hasSize(3);
    }

    @Test
    void recordsAreDeletedOnceEveryReplicaThatIsAliveHasDeletedThem() throws Exception {
        write(0, 5);
        cluster.await(topic, 0, highWatermark(2, 5));
        Future<DeletedRecords> deleted;
        try (HeldRequests fetches = cluster.broker(1)
                .requests(ApiKeys.FETCH)
                .fromBroker(2)
                .onTopic(topic)
                .hold()) {
            fetches.await(1);

            deleted = deleteBefore(3);

            cluster.await(topic, 0, logStart(1, 3));
            assertThat(deleted).isNotDone();
        }
        assertThat(deleted.get().lowWatermark()).isEqualTo(3);
        cluster.await(topic, 0, logStart(2, 3));
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).containsExactly(topic + "-3", topic + "-4");
    }

    @Test
    void recordsAreDeletedWithoutTheReplicaThatIsAwayWhichFollowsWhenItIsBack() throws Exception {
        write(0, 5);
        cluster.broker(2).stop();
        cluster.await(topic, 0, inSyncReplicasAtLeader(1));

        assertThat(deleteBefore(3).get().lowWatermark()).isEqualTo(3);

        cluster.broker(2).start();
        cluster.await(topic, 0, inSyncReplicasAtLeader(1, 2).and(logStart(2, 3)));
    }

    @Test
    void nothingAboveTheHighWatermarkIsDeleted() {
        write(0, 3);
        cluster.broker(2).stop();
        cluster.await(topic, 0, inSyncReplicasAtLeader(1));
        Clients.writeNumbered(cluster.bootstrapServers(), topic, 3, 5, Map.of("acks", "1"));
        cluster.await(topic, 0, leader(1).and(logEndOffset(1, 5)));

        assertThatThrownBy(() -> deleteBefore(4).get()).hasCauseInstanceOf(OffsetOutOfRangeException.class);
    }

    private void write(int from, int to) {
        Clients.writeNumbered(cluster.bootstrapServers(), topic, from, to, Map.of());
    }

    /** Tells the first error instead of trying again. */
    private KafkaProducer<String, String> impatient() {
        return Clients.producer(
                cluster.bootstrapServers(),
                Map.of("retries", "0", "enable.idempotence", "false", "acks", "all", "request.timeout.ms", "5000"));
    }

    private Future<DeletedRecords> deleteBefore(long offset) {
        TopicPartition partition = new TopicPartition(topic, 0);
        return Objects.requireNonNull(cluster.admin()
                        .deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(offset)))
                        .lowWatermarks()
                        .get(partition))
                .toCompletionStage()
                .toCompletableFuture();
    }

    private static PartitionCondition logStart(int brokerId, long offset) {
        return PartitionCondition.of("log start " + offset + " on broker " + brokerId, state -> {
            var replica = state.replica(brokerId);
            return replica != null && replica.logStartOffset() == offset;
        });
    }
}
