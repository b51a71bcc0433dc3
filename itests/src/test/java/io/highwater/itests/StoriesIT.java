package io.highwater.itests;

import static io.highwater.testkit.PartitionCondition.highWatermark;
import static io.highwater.testkit.PartitionCondition.inSyncReplicas;
import static io.highwater.testkit.PartitionCondition.inSyncReplicasAtLeader;
import static io.highwater.testkit.PartitionCondition.leader;
import static io.highwater.testkit.PartitionCondition.logEndOffset;
import static io.highwater.testkit.PartitionCondition.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highwater.testkit.HeldRequests;
import io.highwater.testkit.HighwaterCluster;
import io.highwater.testkit.HighwaterTestCluster;
import io.highwater.testkit.PartitionCondition;
import io.highwater.testkit.PartitionState;
import io.highwater.testkit.TestBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** The stories of the simulation, told again by real brokers and stock clients: three replicas, two of them needed. */
@HighwaterCluster(
        brokers = 3,
        config = {"auto.leader.rebalance.enable=false", "replica.lag.time.max.ms=3000"})
class StoriesIT {
    private static final String ONE_BATCH_MS = "50";

    private final HighwaterTestCluster cluster;
    private String topic = "";
    private int first;
    private int second;
    private int third;

    StoriesIT(HighwaterTestCluster cluster) {
        this.cluster = cluster;
    }

    @AfterEach
    void everybodyBack() {
        cluster.endFaults();
        cluster.startAll();
    }

    @BeforeEach
    void ownName(TestInfo test) {
        topic = test.getTestMethod().orElseThrow().getName();
    }

    /** The active controller is the last to follow: no election of controllers is part of a story. */
    private void ledByAnotherThanTheController() {
        created(cluster.controller().id() % 3 + 1);
    }

    private void ledByTheController() {
        created(cluster.controller().id());
    }

    private void created(int leader) {
        first = leader;
        second = first % 3 + 1;
        third = second % 3 + 1;
        cluster.createTopic(topic, List.of(List.of(first, second, third)), Map.of("min.insync.replicas", "2"));
    }

    @Test
    void theSleepyFollower() throws Exception {
        created(1);
        PartitionState before;
        Watch watch = new Watch(first);
        try (KafkaConsumer<String, String> consumer = Clients.consumer(cluster.bootstrapServers(), Map.of());
                KafkaProducer<String, String> producer = Clients.producer(cluster.bootstrapServers(), Map.of());
                HeldRequests asleep = afterwards(producer, 5_000, 3)) {
            before = cluster.state(topic, 0);
            consumer.assign(List.of(new TopicPartition(topic, 0)));
            consumer.seek(new TopicPartition(topic, 0), 5_000);
            asleep.await(1);

            List<Future<RecordMetadata>> sent = send(producer, 5_000, 5_300);

            PartitionState waiting =
                    cluster.await(topic, 0, watch.over(logEndOffset(1, 5_300).and(logEndOffset(2, 5_300))));
            assertThat(offsets(waiting)).containsExactly(5_300L, 5_300L, 5_000L, 5_000L);
            assertThat(sent).noneMatch(Future::isDone);
            assertThat(consumer.poll(Duration.ofMillis(100))).isEmpty();
            assertThat(consumer.endOffsets(consumer.assignment()).values())
                    .as("the end that can be read")
                    .containsExactly(5_000L);

            PartitionState without = cluster.await(
                    topic, 0, watch.over(inSyncReplicasAtLeader(1, 2).and(highWatermark(5_300))));
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
            assertThat(without.logEndOffset(3)).isEqualTo(5_000);
            assertThat(without.assignedReplicas()).containsExactly(1, 2, 3);
            assertThat(without.leaderEpoch()).isEqualTo(before.leaderEpoch());
            assertThat(without.partitionEpoch()).isEqualTo(before.partitionEpoch() + 1);
            assertThat(cluster.isFenced(3)).as("its heartbeats go on").isFalse();
            await().until(() -> consumer.poll(Duration.ofMillis(100)).count() > 0);
        }

        PartitionState after = cluster.await(topic, 0, watch.over(whole()));
        assertThat(after.partitionEpoch()).isEqualTo(before.partitionEpoch() + 2);
        assertThat(after.logEndOffset(3)).isEqualTo(5_300);
    }

    @Test
    void theDeadLeader() throws Exception {
        ledByAnotherThanTheController();
        PartitionState before;
        try (KafkaProducer<String, String> producer =
                        Clients.producer(cluster.bootstrapServers(), tellingTheFirstError());
                HeldRequests ofSecond = afterwards(producer, 990, second);
                HeldRequests ofThird = heldFetches(third)) {
            before = cluster.state(topic, 0);
            ofSecond.await(1);
            ofThird.await(1);
            List<Future<RecordMetadata>> unsure = new ArrayList<>(send(producer, 990, 995));
            cluster.await(topic, 0, logEndOffset(first, 995));
            ofSecond.release();
            ofSecond.await(1);
            unsure.addAll(send(producer, 995, 1_000));
            PartitionState last = cluster.await(topic, 0, logEndOffset(first, 1_000));
            assertThat(offsets(last)).containsExactly(1_000L, 995L, 990L, 990L);

            cluster.broker(first).kill();

            for (Future<RecordMetadata> one : unsure) {
                assertThatThrownBy(one::get).isNotNull();
            }
        }
        PartitionState after =
                cluster.await(topic, 0, leader(second).and(highWatermark(995)).and(logEndOffset(third, 995)));
        assertThat(after.leaderEpoch()).isEqualTo(before.leaderEpoch() + 1);
        assertThat(after.partitionEpoch()).isEqualTo(before.partitionEpoch() + 1);
        assertThat(after.assignedReplicas()).containsExactly(first, second, third);
        assertThat(after.inSyncReplicas()).containsExactlyInAnyOrder(second, third);
        toldByEverybody(second, after.leaderEpoch());

        cluster.broker(first).start();

        PartitionState back = cluster.await(topic, 0, whole());
        assertThat(offsets(back)).containsExactly(995L, 995L, 995L, 995L);
        assertThat(cluster.lastEvents())
                .as("what is cut is told")
                .anySatisfy(event -> assertThat(event).contains("broker " + first, topic + "-0 cut", "offset=995"));
        assertThat(back.leader()).as("leadership does not return by itself").isEqualTo(second);
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).isEqualTo(values(0, 995));
        write(995, 996);
        cluster.await(topic, 0, whole());
        assertThat(epochsOfBatches(third)).startsWith(before.leaderEpoch()).endsWith(after.leaderEpoch());
        for (int broker : List.of(first, second, third)) {
            assertThat(replica(broker).resolve("leader-epoch-checkpoint"))
                    .hasContent("0\n2\n%d 0\n%d 995\n".formatted(before.leaderEpoch(), after.leaderEpoch()));
            assertThat(log(broker)).as("broker %d", broker).hasSameBinaryContentAs(log(second));
        }
    }

    @Test
    void theIsolatedLeader() throws Exception {
        ledByAnotherThanTheController();
        write(0, 10);
        PartitionState before = cluster.await(topic, 0, whole());
        String isolated = cluster.broker(first).address();
        String others =
                cluster.broker(second).address() + "," + cluster.broker(third).address();
        Map<String, String> one = new HashMap<>(tellingTheFirstError());
        one.put("acks", "1");
        try (KafkaProducer<String, String> wantsAll = Clients.producer(isolated, tellingTheFirstError());
                KafkaProducer<String, String> wantsOne = Clients.producer(isolated, one);
                KafkaConsumer<String, String> consumer = Clients.consumer(isolated, Map.of())) {
            wantsAll.partitionsFor(topic);
            wantsOne.partitionsFor(topic);
            consumer.assign(List.of(new TopicPartition(topic, 0)));
            consumer.seek(new TopicPartition(topic, 0), 9);
            await().until(() -> consumer.poll(Duration.ofMillis(100)).count() == 1);
            for (int other : List.of(second, third)) {
                cluster.cut(first, other);
                cluster.cut(other, first);
            }

            Future<RecordMetadata> unsure = wantsAll.send(new ProducerRecord<>(topic, "unsure"));
            cluster.await(topic, 0, logEndOffset(first, 11));
            assertThat(wantsOne.send(new ProducerRecord<>(topic, "lost")).get().offset())
                    .isEqualTo(11);

            cluster.await(topic, 0, leader(second));
            Clients.write(others, List.of(new ProducerRecord<>(topic, "kept")), Map.of());
            PartitionState two = cluster.state(topic, 0);
            assertThat(two.leaderEpoch()).isEqualTo(before.leaderEpoch() + 1);
            assertThat(two.highWatermark()).isEqualTo(11);
            assertThat(two.replica(first)).satisfies(old -> {
                assertThat(old.leading()).isTrue();
                assertThat(old.leaderEpoch()).isEqualTo(before.leaderEpoch());
                assertThat(old.logEndOffset()).isEqualTo(12);
                assertThat(old.highWatermark()).as("it cannot commit").isEqualTo(10);
                assertThat(old.inSyncReplicas())
                        .as("nobody agrees to fewer")
                        .containsExactlyInAnyOrder(first, second, third);
            });
            assertThatThrownBy(unsure::get).hasCauseInstanceOf(TimeoutException.class);
            assertThat(consumer.poll(Duration.ofMillis(100))).as("no ghosts").isEmpty();
        }

        cluster.heal();

        PartitionState after = cluster.await(topic, 0, whole());
        assertThat(after.leader()).isEqualTo(second);
        assertThat(offsets(after)).containsExactly(11L, 11L, 11L, 11L);
        List<String> kept = values(0, 10);
        kept.add("kept");
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).isEqualTo(kept);
    }

    @Test
    void theDeadDisk() {
        ledByTheController();
        write(0, 10);
        cluster.await(topic, 0, whole());
        cluster.broker(third).kill();
        cluster.broker(third).wipe();
        cluster.await(topic, 0, inSyncReplicasAtLeader(first, second));
        write(10, 11);
        try (HeldRequests copying = heldFetches(third)) {
            cluster.broker(third).start();
            copying.await(1);

            cluster.broker(second).kill();
            cluster.await(topic, 0, inSyncReplicasAtLeader(first));
            try (KafkaProducer<String, String> producer =
                    Clients.producer(cluster.bootstrapServers(), tellingTheFirstError())) {
                assertThatThrownBy(() -> producer.send(new ProducerRecord<>(topic, "refused"))
                                .get())
                        .hasCauseInstanceOf(NotEnoughReplicasException.class);
            }
            assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).isEqualTo(values(0, 11));
            assertThat(cluster.state(topic, 0).logEndOffset(third)).isZero();

            cluster.broker(second).start();
            cluster.await(topic, 0, inSyncReplicas(first, second));
            write(11, 12);
        }

        PartitionState after = cluster.await(topic, 0, whole());
        assertThat(offsets(after)).containsExactly(12L, 12L, 12L, 12L);
        assertThat(Clients.readValues(cluster.bootstrapServers(), topic)).isEqualTo(values(0, 12));
    }

    /** Looks at each state that is waited for: what is committed is what all in sync have, nobody is ahead of the leader, nothing is taken back. */
    private static final class Watch {
        private final int leader;
        private PartitionState before;

        /** @param leader the broker with the lowest id, so that it is looked at before its followers */
        Watch(int leader) {
            this.leader = leader;
        }

        PartitionCondition over(PartitionCondition condition) {
            return PartitionCondition.of(condition.toString(), state -> {
                look(state);
                return condition.holds(state);
            });
        }

        private void look(PartitionState state) {
            for (int inSync : state.replica(leader).inSyncReplicas()) {
                assertThat(state.highWatermark()).as("%s", state).isLessThanOrEqualTo(state.logEndOffset(inSync));
            }
            if (before != null) {
                assertThat(state.highWatermark()).isGreaterThanOrEqualTo(before.highWatermark());
                before.replicas()
                        .keySet()
                        .forEach(id -> assertThat(before.logEndOffset(id))
                                .as("%s after %s", state, before)
                                .isLessThanOrEqualTo(state.logEndOffset(leader)));
            }
            before = state;
        }
    }

    /** Begins with so many committed records, so that the producer has found its way, and from then on holds the fetches of a follower. */
    private HeldRequests afterwards(KafkaProducer<String, String> producer, int records, int follower)
            throws ExecutionException, InterruptedException {
        for (Future<RecordMetadata> one : send(producer, 0, records)) {
            one.get();
        }
        cluster.await(topic, 0, whole());
        return heldFetches(follower);
    }

    private HeldRequests heldFetches(int follower) {
        return cluster.broker(first)
                .requests(ApiKeys.FETCH)
                .fromBroker(follower)
                .onTopic(topic)
                .hold();
    }

    private void write(int from, int to) {
        Clients.writeNumbered(cluster.bootstrapServers(), topic, from, to, Map.of());
    }

    private List<Future<RecordMetadata>> send(KafkaProducer<String, String> producer, int from, int to) {
        return values(from, to).stream()
                .map(value -> producer.send(new ProducerRecord<>(topic, value)))
                .toList();
    }

    private List<String> values(int from, int to) {
        return new ArrayList<>(
                IntStream.range(from, to).mapToObj(i -> topic + "-" + i).toList());
    }

    private static Map<String, String> tellingTheFirstError() {
        return Map.of(
                "retries",
                "0",
                "enable.idempotence",
                "false",
                "acks",
                "all",
                "linger.ms",
                ONE_BATCH_MS,
                "request.timeout.ms",
                "4000",
                "delivery.timeout.ms",
                "5000");
    }

    /** Where the three logs end, and the high watermark. */
    private List<Long> offsets(PartitionState state) {
        return List.of(
                state.logEndOffset(first),
                state.logEndOffset(second),
                state.logEndOffset(third),
                state.highWatermark());
    }

    private void toldByEverybody(int leader, int epoch) {
        for (TestBroker broker : cluster.brokers()) {
            if (broker.isRunning()) {
                await().untilAsserted(() -> {
                    MetadataResponsePartition told = Raw.ask(
                                    broker,
                                    MetadataRequest.Builder.forTopicNames(List.of(topic), false)
                                            .build(),
                                    MetadataResponse.class)
                            .data()
                            .topics()
                            .find(topic)
                            .partitions()
                            .get(0);
                    assertThat(List.of(told.leaderId(), told.leaderEpoch())).containsExactly(leader, epoch);
                });
            }
        }
    }

    private List<Integer> epochsOfBatches(int broker) throws IOException {
        List<Integer> epochs = new ArrayList<>();
        try (FileRecords records = FileRecords.open(log(broker).toFile(), false)) {
            records.batches().forEach(batch -> epochs.add(batch.partitionLeaderEpoch()));
        }
        return epochs;
    }

    private Path replica(int broker) {
        return cluster.broker(broker).directory().resolve(topic + "-0");
    }

    private Path log(int broker) {
        Path log = replica(broker).resolve("00000000000000000000.log");
        assertThat(Files.exists(log)).isTrue();
        return log;
    }
}
