package io.highwater.itests;

import static io.highwater.testkit.PartitionCondition.highWatermark;
import static io.highwater.testkit.PartitionCondition.inSyncReplicasAtLeader;
import static io.highwater.testkit.PartitionCondition.logEndOffset;
import static io.highwater.testkit.PartitionCondition.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.testkit.Fault;
import io.highwater.testkit.HeldRequests;
import io.highwater.testkit.HighwaterTestCluster;
import io.highwater.testkit.PartitionState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopicCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.ListOffsetsResponse;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochRequest;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Consumers may read from the replica in their rack, and see there what is committed and nothing else. Brokers 1 and 2 share rack a, 3 is in b. */
class FollowerReadsIT {
    private static final int NO_WAIT = 0;
    private static final int FOLLOWER_READS_FROM = 11;
    private static HighwaterTestCluster cluster;

    private String topic = "";
    private Uuid topicId = Uuid.ZERO_UUID;

    @BeforeAll
    static void start() {
        cluster = HighwaterTestCluster.builder()
                .brokers(3)
                .config("replica.selector.class", "org.apache.kafka.common.replica.RackAwareReplicaSelector")
                .config("auto.leader.rebalance.enable", "false")
                .config(1, "broker.rack", "a")
                .config(2, "broker.rack", "a")
                .config(3, "broker.rack", "b")
                .start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void ledInOneRackAndFollowedInTheOther(TestInfo test) throws Exception {
        topic = test.getTestMethod().orElseThrow().getName();
        cluster.createTopic(topic, List.of(List.of(1, 3)), Map.of());
        Clients.writeNumbered(cluster.bootstrapServers(), topic, 0, 3, Map.of());
        cluster.await(topic, 0, whole().and(highWatermark(3, 3)));
        topicId = cluster.admin()
                .describeTopics(List.of(topic))
                .allTopicNames()
                .get()
                .get(topic)
                .topicId();
    }

    @AfterEach
    void everybodyBack() {
        cluster.endFaults();
        cluster.startAll();
    }

    @Test
    void aConsumerReadsFromTheFollowerInItsRack() {
        try (Fault atFollower = cluster.broker(3)
                        .requests(ApiKeys.FETCH)
                        .fromClient("in-b")
                        .delay(Duration.ZERO);
                KafkaConsumer<String, String> consumer =
                        Clients.consumer(cluster.bootstrapServers(), Map.of("client.rack", "b", "client.id", "in-b"))) {
            consumer.assign(List.of(new TopicPartition(topic, 0)));

            assertThat(read(consumer, 3)).containsExactly(topic + "-0", topic + "-1", topic + "-2");

            assertThat(atFollower.hits()).isPositive();
            Clients.writeNumbered(cluster.bootstrapServers(), topic, 3, 5, Map.of());
            assertThat(read(consumer, 2)).containsExactly(topic + "-3", topic + "-4");
        }
    }

    @Test
    void aConsumerGoesOnWhenTheFollowerItReadsFromIsKilled() {
        try (KafkaConsumer<String, String> consumer =
                Clients.consumer(cluster.bootstrapServers(), Map.of("client.rack", "b"))) {
            consumer.assign(List.of(new TopicPartition(topic, 0)));
            assertThat(read(consumer, 3)).hasSize(3);

            cluster.broker(3).kill();
            Clients.writeNumbered(cluster.bootstrapServers(), topic, 3, 5, Map.of());

            assertThat(read(consumer, 2)).containsExactly(topic + "-3", topic + "-4");
        }
    }

    @Test
    void theLeaderNamesTheFollowerInTheRackOfTheReader() {
        PartitionData near = fetch(1, 0, "b", NO_WAIT);

        assertThat(near.preferredReadReplica()).isEqualTo(3);
        assertThat(FetchResponse.recordsSize(near)).isZero();
        assertThat(near.highWatermark()).isEqualTo(3);
    }

    @Test
    void theLeaderServesReadersOfItsRackAndOfRacksWithoutAReplica() {
        for (String rack : List.of("", "a", "elsewhere")) {
            PartitionData data = fetch(1, 0, rack, NO_WAIT);

            assertThat(data.preferredReadReplica()).as(rack).isEqualTo(-1);
            assertThat(FetchResponse.recordsSize(data)).as(rack).isPositive();
        }
    }

    @Test
    void theLeaderNamesNobodyWhoIsOutOfSync() {
        cluster.broker(3).stop();
        cluster.await(topic, 0, inSyncReplicasAtLeader(1));

        PartitionData data = fetch(1, 0, "b", NO_WAIT);

        assertThat(data.preferredReadReplica()).isEqualTo(-1);
        assertThat(FetchResponse.recordsSize(data)).isPositive();
    }

    @Test
    void oldConsumersHaveToReadFromTheLeader() {
        PartitionData data = fetch(3, consumer(0, NO_WAIT, Optional.empty(), "b"), FOLLOWER_READS_FROM - 1);

        assertThat(Errors.forCode(data.errorCode())).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
    }

    @Test
    void aFollowerShowsWhatItKnowsToBeCommittedAndTellsWhenThatIsMore() throws Exception {
        Background<PartitionData> waiting;
        try (HeldRequests fetches = cluster.broker(1)
                .requests(ApiKeys.FETCH)
                .fromBroker(3)
                .onTopic(topic)
                .hold()) {
            fetches.await(1);
            Clients.writeNumbered(cluster.bootstrapServers(), topic, 3, 5, Map.of("acks", "1"));
            cluster.await(topic, 0, logEndOffset(1, 5));
            fetches.release();
            cluster.await(topic, 0, logEndOffset(3, 5).and(highWatermark(3, 3)));

            PartitionData held = fetch(3, 3, "b", NO_WAIT);

            assertThat(Errors.forCode(held.errorCode())).isEqualTo(Errors.NONE);
            assertThat(FetchResponse.recordsSize(held)).isZero();
            assertThat(held.highWatermark()).isEqualTo(3);
            PartitionData aboveHighWatermark = fetch(3, 4, "b", NO_WAIT);
            assertThat(Errors.forCode(aboveHighWatermark.errorCode())).isEqualTo(Errors.NONE);
            PartitionData aboveEnd = fetch(3, 6, "b", NO_WAIT);
            assertThat(Errors.forCode(aboveEnd.errorCode())).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
            waiting = new Background<>(
                    () -> fetch(3, 3, "b", (int) Duration.ofMinutes(2).toMillis()));
        }

        PartitionData told = waiting.result();

        assertThat(FetchResponse.recordsSize(told)).isPositive();
        assertThat(told.highWatermark()).isEqualTo(5);
    }

    @Test
    void whoBelievesInAnotherReignIsToldSo() {
        cluster.broker(1).restart();
        PartitionState state =
                cluster.await(topic, 0, inSyncReplicasAtLeader(1, 3).and(whole()));
        int epoch = state.leaderEpoch();
        int leader = state.leader();

        assertThat(inReign(leader, epoch - 1)).containsOnly(Errors.FENCED_LEADER_EPOCH);
        assertThat(inReign(leader, epoch)).containsOnly(Errors.NONE);
        assertThat(inReign(leader, epoch + 1)).containsOnly(Errors.UNKNOWN_LEADER_EPOCH);
        int follower = leader == 1 ? 3 : 1;
        assertThat(inReign(follower, epoch))
                .containsExactly(Errors.NONE, Errors.NOT_LEADER_OR_FOLLOWER, Errors.NOT_LEADER_OR_FOLLOWER);
    }

    @Test
    void replicasAreSpreadOverTheRacks() {
        cluster.createTopic("spread", 8, 2);

        assertThat(Clients.described(cluster.admin(), "spread"))
                .allSatisfy(partition ->
                        assertThat(partition.replicas()).extracting(Node::rack).containsExactlyInAnyOrder("a", "b"));
    }

    /** What Fetch, ListOffsets and OffsetForLeaderEpoch say to a client in that reign. */
    private List<Errors> inReign(int brokerId, int epoch) {
        List<Errors> errors = new ArrayList<>();
        PartitionData fetched =
                fetch(brokerId, consumer(0, NO_WAIT, Optional.of(epoch), ""), ApiKeys.FETCH.latestVersion());
        errors.add(Errors.forCode(fetched.errorCode()));
        ListOffsetsRequest list = ListOffsetsRequest.Builder.forConsumer(true, IsolationLevel.READ_UNCOMMITTED)
                .setTargetTimes(List.of(new ListOffsetsTopic()
                        .setName(topic)
                        .setPartitions(List.of(new ListOffsetsPartition()
                                .setPartitionIndex(0)
                                .setCurrentLeaderEpoch(epoch)
                                .setTimestamp(ListOffsetsRequest.LATEST_TIMESTAMP)))))
                .build();
        errors.add(Errors.forCode(Raw.ask(cluster.broker(brokerId), list, ListOffsetsResponse.class)
                .data()
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .errorCode()));
        OffsetForLeaderTopicCollection topics = new OffsetForLeaderTopicCollection();
        topics.add(new OffsetForLeaderTopic()
                .setTopic(topic)
                .setPartitions(List.of(new OffsetForLeaderPartition()
                        .setPartition(0)
                        .setCurrentLeaderEpoch(epoch)
                        .setLeaderEpoch(0))));
        errors.add(Errors.forCode(Raw.ask(
                        cluster.broker(brokerId),
                        OffsetsForLeaderEpochRequest.Builder.forConsumer(topics).build(),
                        OffsetsForLeaderEpochResponse.class)
                .data()
                .topics()
                .find(topic)
                .partitions()
                .get(0)
                .errorCode()));
        return errors;
    }

    private PartitionData fetch(int brokerId, long offset, String rack, int maxWaitMs) {
        return fetch(brokerId, consumer(offset, maxWaitMs, Optional.empty(), rack), ApiKeys.FETCH.latestVersion());
    }

    private PartitionData fetch(int brokerId, FetchRequest.Builder request, int version) {
        return Raw.ask(cluster.broker(brokerId), request.build((short) version), FetchResponse.class)
                .data()
                .responses()
                .get(0)
                .partitions()
                .get(0);
    }

    private FetchRequest.Builder consumer(long offset, int maxWaitMs, Optional<Integer> epoch, String rack) {
        return FetchRequest.Builder.forConsumer(
                        ApiKeys.FETCH.latestVersion(),
                        maxWaitMs,
                        1,
                        Map.of(
                                new TopicPartition(topic, 0),
                                new FetchRequest.PartitionData(topicId, offset, -1, 1_000_000, epoch)))
                .rackId(rack);
    }

    private static List<String> read(KafkaConsumer<String, String> consumer, int count) {
        List<String> values = new ArrayList<>();
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (values.size() < count && System.nanoTime() < deadline) {
            consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
        }
        return values;
    }
}
