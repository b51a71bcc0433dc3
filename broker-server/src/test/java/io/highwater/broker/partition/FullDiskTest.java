package io.highwater.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.highwater.controlplane.TopicView;
import io.highwater.replication.FetchPosition;
import io.highwater.replication.LeaderAnswer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A link to the device that is always full, in the place of a file, makes one attempt to write it fail as on a full disk. */
class FullDiskTest {
    private static final Path FULL = Path.of("/dev/full");

    /** Each batch wants a new segment, and that a snapshot of the producers. */
    private static final Map<String, String> ROLLS_ALWAYS = Map.of("internal.segment.bytes", "100");

    @TempDir
    Path base;

    @BeforeEach
    void onLinux() {
        assumeTrue(Files.exists(FULL));
    }

    @Test
    void aReplicaThatFoundNoRoomIsMadeWhenThereIsSome() throws Exception {
        try (TestNode node = new TestNode(dir("a"))) {
            Files.createDirectory(dir("a").resolve("orders-0"));
            fill("a", "orders-0/partition.metadata.tmp");
            node.create("orders", 1);
            assertThat(node.partitions.lookup("orders", 0).error()).isEqualTo(Errors.KAFKA_STORAGE_ERROR);
            assertThat(node.failed).isEmpty();

            node.partitions.retryHomeless();
            node.partitions.applied().await();

            assertThat(produce(node, "x").error()).isEqualTo(Errors.NONE);
            assertThat(node.roles).endsWith("orders-0 leads", "all given");
        }
    }

    @Test
    void aReplicaWhoseTopicIsGoneIsNotTriedAgain() throws Exception {
        try (TestNode node = new TestNode(dir("a"))) {
            Files.createDirectory(dir("a").resolve("orders-0"));
            fill("a", "orders-0/partition.metadata.tmp");
            node.create("orders", 1);
            assertThat(node.partitions.offlineCount()).isOne();
            node.delete("orders");

            node.partitions.retryHomeless();
            node.partitions.applied().await();

            assertThat(node.partitions.hosted()).isEmpty();
            assertThat(node.partitions.offlineCount()).isZero();
            assertThat(node.partitions.lookup("orders", 0).error()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        }
    }

    @Test
    void aLogThatHadNoRoomToRecoverIsStillRecovered() throws Exception {
        TestNode killed = new TestNode(dir("a"));
        killed.create("orders", 1);
        produce(killed, "x");
        produce(killed, "y");
        killed.kill();
        Files.write(dir("a").resolve("orders-0/00000000000000000000.log"), new byte[100], StandardOpenOption.APPEND);
        Files.deleteIfExists(dir("a").resolve("orders-0/leader-epoch-checkpoint"));
        fill("a", "orders-0/leader-epoch-checkpoint.tmp");

        try (TestNode node = new TestNode(killed.topics(), dir("a"))) {
            node.partitions.retryHomeless();
            node.partitions.applied().await();

            assertThat(node.failed).isEmpty();
            assertThat(produce(node, "z").baseOffset()).isEqualTo(2);
        }
    }

    @Test
    void aLogThatHadNoRoomToOpenForgetsNothing() throws Exception {
        Map<String, TopicView> topics;
        try (TestNode node = new TestNode(dir("a"))) {
            node.create("orders", 1);
            produce(node, "x");
            produce(node, "y");
            hosted(node).deleteRecords(1, 1_000).await();
            topics = node.topics();
        }
        Files.delete(dir("a").resolve("orders-0/leader-epoch-checkpoint"));
        fill("a", "orders-0/leader-epoch-checkpoint.tmp");

        try (TestNode node = new TestNode(topics, dir("a"))) {
            node.partitions.retryHomeless();
            node.partitions.applied().await();

            assertThat(hosted(node).logStartOffset()).isEqualTo(1);
            assertThat(hosted(node).highWatermark()).isEqualTo(2);
        }
    }

    @Test
    void aReplicaThatHasNoRoomToBeClosedIsNotMovedAndGoesOn() throws Exception {
        try (TestNode node = new TestNode(dir("a"), dir("b"))) {
            node.create("orders", 1, node.partitions.directories().get(0).id());
            produce(node, "x");
            Partition before = hosted(node);
            fill("a", "orders-0/00000000000000000001.snapshot");

            node.partitions.move(new TopicPartition("orders", 0), dir("b"));
            await().until(() -> node.partitions.lookup("orders", 0).partition() != before
                    && node.partitions.isServing("orders", 0));

            assertThat(node.partitions.directories().get(0).partitions()).containsExactly(hosted(node));
            assertThat(produce(node, "y").baseOffset()).isEqualTo(1);
            assertThat(node.failed).isEmpty();
        }
    }

    @Test
    void aFollowerThatFindsNoRoomTakesNothingAndGoesOnWhereItWas() throws Exception {
        try (TestNode node = new TestNode(dir("a"))) {
            follow(node);
            bring(node, "x");
            fill("a", "orders-0/00000000000000000001.snapshot");

            assertThat(bring(node, "y")).isEqualTo(Followed.BACK_OFF);
            assertThat(hosted(node).logEndOffset()).isEqualTo(1);
            assertThat(hosted(node).highWatermark()).isEqualTo(1);
            assertThat(node.failed).isEmpty();

            assertThat(bring(node, "y")).isEqualTo(Followed.GO_ON);
            assertThat(hosted(node).logEndOffset()).isEqualTo(2);
        }
    }

    @Test
    void aFollowerThatFoundNoRoomCatchesUpAfterARestart() throws Exception {
        TestNode full = new TestNode(dir("a"));
        follow(full);
        bring(full, "x");
        fill("a", "orders-0/00000000000000000001.snapshot");
        assertThat(bring(full, "y")).isEqualTo(Followed.BACK_OFF);
        full.kill();

        try (TestNode node = new TestNode(full.topics(), dir("a"))) {
            node.configure("orders", ROLLS_ALWAYS);

            assertThat(bring(node, "y")).isEqualTo(Followed.GO_ON);
            assertThat(bring(node, "z")).isEqualTo(Followed.GO_ON);
            assertThat(hosted(node).logEndOffset()).isEqualTo(3);
        }
    }

    @Test
    void aRoundEndsAfterAFewFailuresAndTheNextGoesOnFromThere() {
        HomelessReplicas homeless = new HomelessReplicas();
        for (int i = 0; i < 3 * HomelessReplicas.FAILURES_PER_ROUND; i++) {
            homeless.add(new TopicPartition("orders", i));
        }
        List<Integer> tried = new CopyOnWriteArrayList<>();

        homeless.retry(replica -> !tried.add(replica.partition()));
        homeless.retry(replica -> !tried.add(replica.partition()));

        assertThat(tried).hasSize(2 * HomelessReplicas.FAILURES_PER_ROUND).doesNotHaveDuplicates();
    }

    @Test
    void anAttemptThatBreaksOffDoesNotKeepTheOthersFromTheirs() {
        HomelessReplicas homeless = new HomelessReplicas();
        homeless.add(new TopicPartition("orders", 0));
        homeless.add(new TopicPartition("orders", 1));
        assertThatThrownBy(() -> homeless.retry(replica -> {
                    throw new InternalError("a page that the disk has no room for");
                }))
                .isInstanceOf(InternalError.class);
        List<Integer> tried = new CopyOnWriteArrayList<>();

        homeless.retry(replica -> tried.add(replica.partition()));

        assertThat(tried).containsExactly(1, 0);
    }

    private static void follow(TestNode node) {
        Uuid topic = node.create("orders", 1).id();
        node.change(TestNode.view("orders", topic, 0, 1, 1, 2, List.of(TestNode.ID, 2), Uuid.ZERO_UUID));
        node.configure("orders", ROLLS_ALWAYS);
    }

    /** The next record comes from the leader, who has committed it. */
    private static Followed bring(TestNode node, String value) {
        PartitionFollowing following = hosted(node).following();
        FetchPosition asked = Objects.requireNonNull(following.next());
        SimpleRecord record = new SimpleRecord(value.getBytes(StandardCharsets.UTF_8));
        MemoryRecords records =
                MemoryRecords.withRecords(asked.fetchOffset(), Compression.NONE, asked.leaderEpoch(), record);
        return following
                .onAnswer(asked, new LeaderAnswer(null, asked.fetchOffset() + 1, 0, null), records)
                .result();
    }

    private void fill(String directory, String file) throws IOException {
        Files.createSymbolicLink(dir(directory).resolve(file), FULL);
    }

    private static AppendOutcome produce(TestNode node, String value) {
        return hosted(node)
                .produce(Batches.of(node.clock.wallMs(), value), (short) -1, 1_000)
                .result();
    }

    private static Partition hosted(TestNode node) {
        Partition partition = node.partitions.lookup("orders", 0).partition();
        if (partition == null) {
            throw new AssertionError("not hosted: " + node.partitions.lookup("orders", 0));
        }
        return partition;
    }

    private Path dir(String name) {
        return base.resolve(name);
    }
}
