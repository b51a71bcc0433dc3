package io.highwater.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.highwater.controlplane.TopicView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A link to the device that is always full, in the place of a file, makes one attempt to write it fail as on a full disk. */
class FullDiskTest {
    private static final Path FULL = Path.of("/dev/full");

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
            node.delete("orders");

            node.partitions.retryHomeless();
            node.partitions.applied().await();

            assertThat(node.partitions.hosted()).isEmpty();
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
