package io.highwater.coordination.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two brokers take turns in leading the partitions of one offsets topic, at random and without warning, while commits go on and replication
 * stalls. What a commit was acknowledged for must be known to whoever leads in the end, and both must agree with the log.
 */
class LeadershipSimulationTest {
    private static final int PARTITIONS = 3;
    private static final int GROUPS = 12;
    private static final int STEPS = 400;
    private static final Uuid ORDERS = Uuid.fromString("b8Oq4Fb5QDWJ2YkvZGwNTw");

    private final MemoryOffsets logs = new MemoryOffsets();
    private final List<GroupCoordination> brokers = new ArrayList<>();
    private final int[] leaders = new int[PARTITIONS];
    private final int[] epochs = new int[PARTITIONS];
    private final Map<String, Long> acknowledged = new HashMap<>();
    private int acknowledgedCommits;
    private final List<CompletableFuture<Void>> underWay = new ArrayList<>();

    static Stream<Long> seeds() {
        String seed = System.getProperty("seed");
        return seed == null ? IntStream.range(1, 9).mapToObj(Long::valueOf) : Stream.of(Long.valueOf(seed));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatWasAcknowledgedIsKnownToEveryLaterLeader(long seed) {
        Random random = new Random(seed);
        start();

        for (long step = 1; step <= STEPS; step++) {
            int dice = random.nextInt(100);
            if (dice < 5) {
                settle();
            } else if (dice < 80) {
                commit("group-" + random.nextInt(GROUPS), step);
            } else if (dice < 90) {
                int partition = random.nextInt(PARTITIONS);
                moveTo(1 - leaders[partition], partition);
            } else if (dice < 93) {
                int partition = random.nextInt(PARTITIONS);
                moveTo(1 - leaders[partition], partition);
                moveTo(1 - leaders[partition], partition);
            } else {
                logs.replicating(random.nextBoolean());
            }
        }

        settle();
        assertThat(acknowledgedCommits).as("commits that went through").isGreaterThan(STEPS / 40);
        for (int group = 0; group < GROUPS; group++) {
            agree("group-" + group);
        }
    }

    @AfterEach
    void close() {
        brokers.forEach(GroupCoordination::close);
    }

    private void start() {
        FixedTopics topics = FixedTopics.none().with(ORDERS, "orders", 1);
        for (int id = 0; id < 2; id++) {
            GroupCoordination broker = new GroupCoordination(id, Map.of("group.coordinator.threads", "2"), logs);
            broker.startup(PARTITIONS);
            broker.onMetadataUpdate(topics, Set.of(ORDERS), Set.of());
            brokers.add(broker);
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
            moveTo(0, partition);
        }
    }

    /** Either side may hear of it first. */
    private void moveTo(int broker, int partition) {
        int former = leaders[partition];
        int epoch = ++epochs[partition];
        logs.lead(partition, epoch);
        leaders[partition] = broker;
        brokers.get(broker).onElection(partition, epoch);
        if (former != broker) {
            brokers.get(former).onResignation(partition, OptionalInt.of(epoch));
        }
    }

    /** Without a calm now and then the brokers never get to answer anybody. */
    private void settle() {
        logs.replicating(true);
        GroupClient.await(CompletableFuture.allOf(underWay.toArray(new CompletableFuture<?>[0])));
        underWay.clear();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            awaitLoaded(new GroupClient(brokers.get(leaders[partition]), groupOf(partition)));
        }
    }

    private static void awaitLoaded(GroupClient client) {
        await().pollInterval(Duration.ofMillis(2))
                .untilAsserted(() -> assertThat(client.fetchError()).isEqualTo(Errors.NONE));
    }

    /** Some group that the partition owns. */
    private static String groupOf(int partition) {
        return IntStream.range(0, GROUPS)
                .mapToObj(group -> "group-" + group)
                .filter(group -> GroupCoordination.partitionFor(group, PARTITIONS) == partition)
                .findFirst()
                .orElseThrow();
    }

    private void commit(String group, long offset) {
        GroupCoordination leader = brokers.get(leaders[GroupCoordination.partitionFor(group, PARTITIONS)]);
        underWay.add(new GroupClient(leader, group)
                .commitLater("orders", ORDERS, offset)
                .thenAccept(error -> {
                    if (error == Errors.NONE) {
                        synchronized (acknowledged) {
                            acknowledgedCommits++;
                            acknowledged.merge(group, offset, Math::max);
                        }
                    }
                }));
    }

    private void agree(String group) {
        int partition = GroupCoordination.partitionFor(group, PARTITIONS);
        long known = acknowledged.getOrDefault(group, -1L);
        GroupClient before = new GroupClient(brokers.get(leaders[partition]), group);
        awaitLoaded(before);
        long told = before.committed("orders", ORDERS);

        moveTo(1 - leaders[partition], partition);

        GroupClient after = new GroupClient(brokers.get(leaders[partition]), group);
        awaitLoaded(after);
        assertThat(told).as("%s at its leader", group).isGreaterThanOrEqualTo(known);
        assertThat(after.committed("orders", ORDERS))
                .as("%s read from the log", group)
                .isEqualTo(told);
    }
}
