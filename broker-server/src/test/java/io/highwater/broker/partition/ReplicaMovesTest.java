package io.highwater.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highwater.controlplane.TopicView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicaMovesTest {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

    @TempDir
    Path base;

    @Test
    void aReplicaMovesWithEverythingAndGoesOn() throws Exception {
        Map<String, TopicView> topics;
        List<String> values;
        Uuid second;
        try (TestNode node = new TestNode(dir("a"), dir("b"))) {
            second = node.partitions.directories().get(1).id();
            node.configure("orders", Map.of("internal.segment.bytes", "4096"));
            node.create("orders", 1, node.partitions.directories().get(0).id());
            values = fill(node, 40);

            assertThat(node.partitions.move(ORDERS, dir("b"))).isEqualTo(Errors.NONE);
            awaitIn(node, 1);

            assertThat(values(node)).isEqualTo(values);
            assertThat(hosted(node).highWatermark()).isEqualTo(40);
            assertThat(hosted(node).role().leading()).isTrue();
            assertThat(node.assigned).containsExactly(second);
            assertThat(produce(node, "one more").baseOffset()).isEqualTo(40);
            assertThat(names("a")).noneMatch("orders-0"::equals).anyMatch(name -> name.endsWith("-delete"));
            assertThat(names("b")).contains("orders-0").noneMatch(name -> name.endsWith("-future"));
            topics = node.topics();
            values.add("one more");
        }

        try (TestNode node = new TestNode(topics, dir("a"), dir("b"))) {
            assertThat(values(node)).isEqualTo(values);
        }
    }

    @Test
    void producersAreRememberedAcrossAMove() throws Exception {
        try (TestNode node = new TestNode(dir("a"), dir("b"))) {
            node.create("orders", 1, node.partitions.directories().get(0).id());
            hosted(node).produce(Batches.idempotent(node.clock.wallMs(), 7, 0, 0, "x"), (short) 1, 0);

            node.partitions.move(ORDERS, dir("b"));
            awaitIn(node, 1);
            AppendOutcome again = hosted(node)
                    .produce(Batches.idempotent(node.clock.wallMs(), 7, 0, 0, "x"), (short) 1, 0)
                    .result();

            assertThat(again.baseOffset()).as("the same batch again").isZero();
            assertThat(hosted(node).logEndOffset()).isEqualTo(1);
        }
    }

    @Test
    void aMoveToWhereItIsDoesNothing() throws Exception {
        try (TestNode node = new TestNode(dir("a"), dir("b"))) {
            node.create("orders", 1, node.partitions.directories().get(0).id());
            Partition before = hosted(node);

            assertThat(node.partitions.move(ORDERS, dir("a"))).isEqualTo(Errors.NONE);

            assertThat(node.partitions.directories())
                    .allSatisfy(directory -> assertThat(directory.arriving()).isEmpty());
            assertThat(hosted(node)).isSameAs(before);
        }
    }

    @Test
    void whatCannotBeMovedIsRefused() throws Exception {
        try (TestNode node = new TestNode(dir("a"), dir("b"))) {
            node.create("orders", 1, node.partitions.directories().get(0).id());

            assertThat(node.partitions.move(ORDERS, dir("c"))).isEqualTo(Errors.LOG_DIR_NOT_FOUND);
            assertThat(node.partitions.move(new TopicPartition("none", 0), dir("b")))
                    .isEqualTo(Errors.REPLICA_NOT_AVAILABLE);

            node.partitions.onFailure(hosted(node), new IOException("input/output error"));

            assertThat(node.partitions.move(ORDERS, dir("b"))).isEqualTo(Errors.KAFKA_STORAGE_ERROR);
        }
    }

    @Test
    void aCopyThatCannotTakeItsPlaceLeavesTheReplicaWhereItWas() throws Exception {
        try (TestNode node = new TestNode(dir("a"), dir("b"))) {
            node.create("orders", 1, node.partitions.directories().get(0).id());
            List<String> values = fill(node, 3);
            Partition before = hosted(node);
            Files.createDirectory(dir("b").resolve("orders-0"));

            node.partitions.move(ORDERS, dir("b"));
            await().until(() -> node.partitions.lookup("orders", 0).partition() != before
                    && node.partitions.isServing("orders", 0));

            assertThat(node.partitions.directories().get(0).partitions()).containsExactly(hosted(node));
            assertThat(values(node)).isEqualTo(values);
            assertThat(node.failed).isEmpty();
        }
    }

    @Test
    void theRestOfAnUnfinishedMoveIsNoReplica() throws Exception {
        Map<String, TopicView> topics;
        try (TestNode node = new TestNode(dir("a"), dir("b"))) {
            node.create("orders", 1, node.partitions.directories().get(0).id());
            topics = node.topics();
        }
        Files.createDirectory(dir("b").resolve("orders-0.0123456789abcdef0123456789abcdef-future"));

        try (TestNode node = new TestNode(topics, dir("a"), dir("b"))) {
            assertThat(node.partitions.isServing("orders", 0)).isTrue();
            assertThat(node.partitions.directories().get(1).partitions()).isEmpty();
        }
    }

    @Test
    void aMoveThatWasCutShortBetweenItsTwoRenamesIsSettledByTheNextStart() throws Exception {
        Map<String, TopicView> topics;
        List<String> values;
        Uuid first;
        try (TestNode node = new TestNode(dir("a"), dir("b"))) {
            first = node.partitions.directories().get(0).id();
            node.create("orders", 1, first);
            values = fill(node, 3);
            topics = node.topics();
        }
        copy(dir("a").resolve("orders-0"), dir("b").resolve("orders-0"));

        try (TestNode node = new TestNode(topics, dir("a"), dir("b"))) {
            assertThat(node.partitions.directories().get(0).partitions()).containsExactly(hosted(node));
            assertThat(values(node)).isEqualTo(values);
            assertThat(names("b")).noneMatch("orders-0"::equals).anyMatch(name -> name.endsWith("-stray"));
        }
    }

    @Test
    void whatWasDeletedBeforeAMoveStaysDeletedThoughTheProcessIsKilled() throws Exception {
        TestNode killed = new TestNode(dir("a"), dir("b"));
        killed.create("orders", 1, killed.partitions.directories().get(0).id());
        fill(killed, 3);
        hosted(killed).deleteRecords(2, 1_000).await();
        killed.partitions.move(ORDERS, dir("b"));
        awaitIn(killed, 1);
        killed.partitions.applied().await();
        killed.kill();

        try (TestNode node = new TestNode(killed.topics(), dir("a"), dir("b"))) {
            assertThat(hosted(node).logStartOffset()).isEqualTo(2);
        }
    }

    @Test
    void ofTwinsTheOneThatTheControllerKnowsStaysIfItReachesAsFar() throws Exception {
        Map<String, TopicView> topics;
        Uuid first;
        try (TestNode node = new TestNode(dir("a"), dir("b"))) {
            first = node.partitions.directories().get(0).id();
            node.create("orders", 1, first);
            fill(node, 3);
            topics = node.topics();
        }
        copy(dir("a").resolve("orders-0"), dir("b").resolve("orders-0"));
        Files.write(
                dir("b").resolve("orders-0/00000000000000000000.log"),
                Files.readAllBytes(dir("a").resolve("orders-0/00000000000000000000.log")),
                StandardOpenOption.APPEND);

        assertThatThrownBy(() -> new TestNode(topics, dir("a"), dir("b")))
                .as("the other one reaches further")
                .rootCause()
                .hasMessageContaining("two log directories");
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectory(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static List<String> fill(TestNode node, int records) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            String value = i + "-" + "x".repeat(500);
            assertThat(produce(node, value).error()).isEqualTo(Errors.NONE);
            values.add(value);
        }
        return values;
    }

    private static AppendOutcome produce(TestNode node, String value) {
        return hosted(node)
                .produce(Batches.of(node.clock.wallMs(), value), (short) -1, 1_000)
                .result();
    }

    private static List<String> values(TestNode node) {
        List<String> values = new ArrayList<>();
        Partition partition = hosted(node);
        while (values.size() < partition.logEndOffset()) {
            MemoryRecords records = partition.readToLoad(values.size(), 1 << 20);
            values.addAll(Batches.values(records.buffer()));
        }
        return values;
    }

    private static void awaitIn(TestNode node, int directory) {
        await().until(() ->
                node.partitions.directories().get(directory).partitions().size() == 1
                        && node.partitions.isServing("orders", 0)
                        && node.assigned.size() == 1);
    }

    private static Partition hosted(TestNode node) {
        Partition partition = node.partitions.lookup("orders", 0).partition();
        if (partition == null) {
            throw new AssertionError("orders-0 is not hosted");
        }
        return partition;
    }

    private Path dir(String name) {
        return base.resolve(name);
    }

    private List<String> names(String directory) throws IOException {
        try (Stream<Path> files = Files.list(dir(directory))) {
            return files.map(path -> path.getFileName().toString()).toList();
        }
    }
}
