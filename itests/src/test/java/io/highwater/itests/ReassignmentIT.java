package io.highwater.itests;

import static io.highwater.testkit.PartitionCondition.inSyncReplicas;
import static io.highwater.testkit.PartitionCondition.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highwater.testkit.HeldRequests;
import io.highwater.testkit.HighwaterCluster;
import io.highwater.testkit.HighwaterTestCluster;
import io.highwater.testkit.PartitionCondition;
import io.highwater.testkit.TestBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.PartitionReassignment;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidReplicaAssignmentException;
import org.apache.kafka.common.errors.NoReassignmentInProgressException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Replicas come, move and go: by reassignment, with new partitions, and with their topic. */
@HighwaterCluster(
        brokers = 3,
        config = {"log.segment.delete.delay.ms=100", "auto.leader.rebalance.enable=false"})
class ReassignmentIT {
    private final HighwaterTestCluster cluster;
    private String topic = "";

    ReassignmentIT(HighwaterTestCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void ownName(TestInfo test) {
        topic = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void everybodyBack() {
        cluster.endFaults();
        cluster.startAll();
    }

    @Test
    void aPartitionMovesToOtherBrokersWhileItIsWritten() throws Exception {
        cluster.createTopic(topic, List.of(List.of(1, 2)), Map.of("min.insync.replicas", "2"));
        List<String> sent;
        AtomicBoolean enough = new AtomicBoolean();
        try (KafkaProducer<String, String> producer = Clients.producer(cluster.bootstrapServers(), Map.of())) {
            Background<List<String>> load = new Background<>(() -> writeUntil(enough, producer));
            try {
                cluster.await(topic, 0, PartitionCondition.of("50 records", state -> state.highWatermark() >= 50));

                reassign(2, 3);

                cluster.await(topic, 0, replicas(2, 3).and(inSyncReplicas(2, 3)));
                long then = cluster.state(topic, 0).highWatermark();
                cluster.await(topic, 0, PartitionCondition.of("more", state -> state.highWatermark() >= then + 50));
            } finally {
                enough.set(true);
            }
            sent = load.result();
        }

        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).isEqualTo(sent);
        assertThat(reassignments()).isEmpty();
        soon().untilAsserted(() -> assertThat(directories(1)).isEmpty());
        assertThat(directories(3)).containsExactly(topic + "-0");
    }

    @Test
    void aReassignmentUnderWayIsListedAndCanBeCalledOff() throws Exception {
        cluster.createTopic(topic, List.of(List.of(1, 2)), Map.of());
        Clients.writeNumbered(cluster.bootstrapServers(), topic, 0, 5, Map.of());
        try (HeldRequests fetches = cluster.broker(1)
                .requests(ApiKeys.FETCH)
                .fromBroker(3)
                .onTopic(topic)
                .hold()) {
            reassign(3, 1);
            fetches.await(1);
            PartitionReassignment listed = reassignments().orElseThrow();
            assertThat(listed.replicas()).containsExactly(3, 1, 2);
            assertThat(listed.addingReplicas()).containsExactly(3);
            assertThat(listed.removingReplicas()).containsExactly(2);
            assertThat(directories(3)).containsExactly(topic + "-0");

            alter(Optional.empty());

            cluster.await(topic, 0, replicas(1, 2).and(inSyncReplicas(1, 2)));
            assertThat(reassignments()).isEmpty();
        }
        soon().untilAsserted(() -> assertThat(directories(3)).isEmpty());
        assertThatThrownBy(() -> alter(Optional.empty())).hasCauseInstanceOf(NoReassignmentInProgressException.class);
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).hasSize(5);
    }

    @Test
    void moreReplicasAreMadeOfAnExistingPartitionAndTakenAwayAgain() throws Exception {
        cluster.createTopic(topic, List.of(List.of(1)), Map.of());
        List<String> written = Clients.writeNumbered(cluster.bootstrapServers(), topic, 0, 100, Map.of());

        reassign(1, 2, 3);
        cluster.await(topic, 0, replicas(1, 2, 3).and(inSyncReplicas(1, 2, 3)));
        cluster.broker(1).stop();
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).isEqualTo(written);

        reassign(3);
        cluster.await(topic, 0, replicas(3).and(PartitionCondition.leader(3)));
        cluster.broker(1).start();
        soon().untilAsserted(() -> assertThat(directories(2)).isEmpty());
        assertThat(directories(1)).doesNotContain(topic + "-0");
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).isEqualTo(written);
    }

    @Test
    void replicasOnBrokersThatDoNotExistAreRefused() {
        cluster.createTopic(topic, List.of(List.of(1, 2)), Map.of());

        assertThatThrownBy(() -> reassign(1, 9)).hasCauseInstanceOf(InvalidReplicaAssignmentException.class);
    }

    @Test
    void newPartitionsHaveTheirReplicasWhereTheyWereWanted() throws Exception {
        cluster.createTopic(topic, List.of(List.of(1, 2)), Map.of());

        cluster.admin()
                .createPartitions(Map.of(topic, NewPartitions.increaseTo(3, List.of(List.of(3, 1), List.of(2, 3)))))
                .all()
                .get();

        cluster.await(topic, 1, whole());
        cluster.await(topic, 2, whole());
        soon().until(() -> Clients.described(cluster.admin(), topic).size() == 3);
        assertThat(cluster.state(topic, 1).assignedReplicas()).containsExactly(3, 1);
        assertThat(cluster.state(topic, 2).assignedReplicas()).containsExactly(2, 3);
        for (int partition = 0; partition < 3; partition++) {
            Clients.write(
                    cluster.bootstrapServers(), List.of(new ProducerRecord<>(topic, partition, "k", "v")), Map.of());
        }
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).hasSize(3);
    }

    @Test
    void nothingIsLeftAnywhereOfATopicThatIsDeletedWhileItIsFollowed() throws Exception {
        cluster.createTopic(topic, 6, 3);
        Clients.writeNumbered(cluster.bootstrapServers(), topic, 0, 100, Map.of());

        cluster.admin().deleteTopics(List.of(topic)).all().get();

        soon().untilAsserted(() -> {
            for (TestBroker broker : cluster.brokers()) {
                assertThat(directories(broker.id())).isEmpty();
            }
        });
        // The followers go on with what else they follow.
        cluster.createTopic(topic, 6, 3);
        Clients.writeNumbered(cluster.bootstrapServers(), topic, 0, 10, Map.of());
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).hasSize(10);
    }

    @Test
    void aBrokerThatWasAwayWhenATopicWasDeletedDoesNotTakeItsReplicaForAnother() throws Exception {
        cluster.createTopic(topic, List.of(List.of(1, 3)), Map.of());
        Clients.writeNumbered(cluster.bootstrapServers(), topic, 0, 10, Map.of());
        cluster.await(topic, 0, whole());
        cluster.broker(3).stop();
        cluster.admin().deleteTopics(List.of(topic)).all().get();
        cluster.createTopic(topic, List.of(List.of(1, 3)), Map.of());
        Clients.writeNumbered(cluster.bootstrapServers(), topic, 0, 2, Map.of());

        cluster.broker(3).start();

        cluster.await(topic, 0, whole().and(PartitionCondition.logEndOffset(3, 2)));
        assertThat(directories(3)).containsOnlyOnce(topic + "-0");
    }

    private List<String> writeUntil(AtomicBoolean enough, KafkaProducer<String, String> producer)
            throws ExecutionException, InterruptedException {
        List<String> values = new ArrayList<>();
        while (!enough.get()) {
            List<Future<RecordMetadata>> acknowledgements = IntStream.range(0, 5)
                    .mapToObj(i -> {
                        String value = Integer.toString(values.size());
                        values.add(value);
                        return producer.send(new ProducerRecord<>(topic, value));
                    })
                    .toList();
            for (Future<RecordMetadata> one : acknowledgements) {
                one.get();
            }
        }
        return values;
    }

    private void reassign(Integer... replicas) throws ExecutionException, InterruptedException {
        alter(Optional.of(new NewPartitionReassignment(List.of(replicas))));
    }

    private void alter(Optional<NewPartitionReassignment> target) throws ExecutionException, InterruptedException {
        cluster.admin()
                .alterPartitionReassignments(Map.of(new TopicPartition(topic, 0), target))
                .all()
                .get();
    }

    private Optional<PartitionReassignment> reassignments() throws ExecutionException, InterruptedException {
        return Optional.ofNullable(cluster.admin()
                .listPartitionReassignments()
                .reassignments()
                .get()
                .get(new TopicPartition(topic, 0)));
    }

    /** Names of what the broker has of the topic, also of what it is about to delete. */
    private List<String> directories(int brokerId) {
        try (Stream<Path> files = Files.list(cluster.broker(brokerId).directory())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(topic.substring(0, Math.min(topic.length(), 60))))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PartitionCondition replicas(Integer... brokerIds) {
        return PartitionCondition.of(
                "replicas " + List.of(brokerIds),
                state -> state.assignedReplicas().equals(List.of(brokerIds)));
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30));
    }
}
