package io.highwater.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.controlplane.PartitionView;
import io.highwater.controlplane.TopicView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionsTest {
    @TempDir
    Path base;

    @Test
    void aTopicThatTheControllerCreatesIsServed() throws Exception {
        try (TestNode node = new TestNode(dir("a"))) {
            TopicView topic = node.create("orders", 2);

            assertThat(node.partitions.isServing("orders", 0)).isTrue();
            assertThat(node.partitions.isServing("orders", 2)).isFalse();
            assertThat(produce(node, "orders", 1, "x").error()).isEqualTo(Errors.NONE);
            assertThat(node.partitions.lookup(topic.id(), 1).partition())
                    .isSameAs(node.partitions.lookup("orders", 1).partition());
            assertThat(node.assigned).as("told where they live").hasSize(2);
        }
    }

    @Test
    void theRolesOfOneImageAreToldToBeCompleteWhenTheLastIsGiven() throws Exception {
        try (TestNode node = new TestNode(dir("a"))) {
            node.roles.clear();
            Files.writeString(dir("a").resolve("orders-1"), "in the way");

            node.create("orders", 3);

            assertThat(node.roles).containsExactly("orders-0 leads", "all given");
        }
    }

    @Test
    void whatIsNotHereIsRefusedByName() throws Exception {
        try (TestNode node = new TestNode(dir("a"))) {
            TopicView topic = node.create("orders", 1);
            PartitionView away = TestNode.view("orders", topic.id(), 0, 1, 1, 2, List.of(2), Uuid.ZERO_UUID);
            node.change(away);

            assertThat(node.partitions.lookup("nothing", 0).error()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
            assertThat(node.partitions.lookup("orders", 7).error()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
            assertThat(node.partitions.lookup(Uuid.randomUuid(), 0).error()).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
            assertThat(node.partitions.lookup("orders", 0).error()).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
            assertThat(node.partitions.lookup(topic.id(), 0).error()).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        }
    }

    @Test
    void aReplicaWhoseLeaderIsElsewhereFollows() throws Exception {
        try (TestNode node = new TestNode(dir("a"))) {
            TopicView topic = node.create("orders", 1);
            node.change(TestNode.view("orders", topic.id(), 0, 1, 1, 2, List.of(1, 2), Uuid.ZERO_UUID));

            assertThat(produce(node, "orders", 0, "x").error()).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
            assertThat(hosted(node, "orders", 0).role()).isEqualTo(new RoleView(false, 2, 1, 0));
        }
    }

    @Test
    void aDeletedTopicIsGoneAtOnceAndItsFilesLater() throws Exception {
        try (TestNode node = new TestNode(dir("a"))) {
            TopicView topic = node.create("orders", 1);
            produce(node, "orders", 0, "x");

            node.delete("orders");

            assertThat(node.partitions.lookup(topic.id(), 0).error()).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
            assertThat(node.partitions.hosted()).isEmpty();
            assertThat(names("a")).noneMatch("orders-0"::equals).anyMatch(name -> name.endsWith("-delete"));
        }
    }

    @Test
    void aTopicCreatedAgainUnderItsNameStartsEmpty() throws Exception {
        try (TestNode node = new TestNode(dir("a"))) {
            TopicView old = node.create("orders", 1);
            produce(node, "orders", 0, "x");
            node.delete("orders");

            TopicView fresh = node.create("orders", 1);

            assertThat(hosted(node, "orders", 0).logEndOffset()).isZero();
            assertThat(node.partitions.lookup(old.id(), 0).error()).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
            assertThat(node.partitions.lookup(fresh.id(), 0).error()).isEqualTo(Errors.NONE);
        }
    }

    @Test
    void recordsAndWatermarksSurviveAnOrderlyStop() throws Exception {
        Map<String, TopicView> topics;
        try (TestNode node = new TestNode(dir("a"))) {
            node.create("orders", 1);
            topics = node.topics();
            produce(node, "orders", 0, "x", "y");
            node.close(42);
        }
        assertThat(Files.readString(dir("a").resolve("replication-offset-checkpoint")))
                .contains("orders 0 2");
        assertThat(Files.readString(dir("a").resolve("recovery-point-offset-checkpoint")))
                .contains("orders 0 2");

        try (TestNode node = new TestNode(topics, dir("a"))) {
            assertThat(node.previousEpoch).isEqualTo(42);
            assertThat(hosted(node, "orders", 0).highWatermark()).isEqualTo(2);
            assertThat(produce(node, "orders", 0, "z").baseOffset()).isEqualTo(2);
            assertThat(dir("a").resolve(".kafka_cleanshutdown")).doesNotExist();
        }
    }

    @Test
    void recordsSurviveAKill() throws Exception {
        TestNode killed = new TestNode(dir("a"));
        killed.create("orders", 1);
        produce(killed, "orders", 0, "x", "y");
        killed.kill();

        try (TestNode node = new TestNode(killed.topics(), dir("a"))) {
            assertThat(node.previousEpoch).isEqualTo(-1);
            assertThat(hosted(node, "orders", 0).logEndOffset()).isEqualTo(2);
            assertThat(hosted(node, "orders", 0).highWatermark()).isEqualTo(2);
        }
    }

    @Test
    void aDirectoryThatNoMetadataNamesIsSetAside() throws Exception {
        try (TestNode node = new TestNode(dir("a"))) {
            node.create("orders", 1);
        }

        try (TestNode node = new TestNode(dir("a"))) {
            assertThat(node.partitions.hosted()).isEmpty();
            assertThat(names("a")).noneMatch("orders-0"::equals).anyMatch(name -> name.endsWith("-stray"));
        }
    }

    @Test
    void newReplicasGoWhereTheFewestAre() throws Exception {
        try (TestNode node = new TestNode(dir("a"), dir("b"))) {
            node.create("orders", 4);

            assertThat(node.partitions.directories())
                    .extracting(directory -> directory.partitions().size())
                    .containsExactly(2, 2);
        }
    }

    @Test
    void aReplicaGoesWhereTheControllerSays() throws Exception {
        try (TestNode node = new TestNode(dir("a"), dir("b"))) {
            Uuid second = node.partitions.directories().get(1).id();

            node.create("orders", 3, second);

            assertThat(node.partitions.directories().get(1).partitions()).hasSize(3);
            assertThat(node.assigned).isEmpty();
        }
    }

    @Test
    void settingsApplyToTheNextAppend() throws Exception {
        try (TestNode node = new TestNode(dir("a"))) {
            node.create("orders", 1);
            assertThat(produce(node, "orders", 0, "x".repeat(2_000)).error()).isEqualTo(Errors.NONE);

            node.configure("orders", Map.of("max.message.bytes", "1000"));

            assertThat(produce(node, "orders", 0, "x".repeat(2_000)).error()).isEqualTo(Errors.MESSAGE_TOO_LARGE);
        }
    }

    @Test
    void aFailedDirectoryTakesItsPartitionsAlongAndNoOthers() throws Exception {
        try (TestNode node = new TestNode(dir("a"), dir("b"))) {
            Uuid first = node.partitions.directories().get(0).id();
            Uuid second = node.partitions.directories().get(1).id();
            node.create("here", 1, first);
            node.create("there", 1, second);

            node.partitions.onFailure(hosted(node, "here", 0), new IOException("input/output error"));

            assertThat(node.failed).containsExactly(first);
            assertThat(produce(node, "there", 0, "x").error()).isEqualTo(Errors.NONE);
            assertThat(node.partitions.lookup("here", 0).error()).isEqualTo(Errors.KAFKA_STORAGE_ERROR);
            node.create("late", 1, first);
            assertThat(node.partitions.lookup("late", 0).error()).isEqualTo(Errors.KAFKA_STORAGE_ERROR);
        }
    }

    @Test
    void aFullDiskFailsNothingButTheAppend() throws Exception {
        try (TestNode node = new TestNode(dir("a"))) {
            node.create("orders", 1);

            node.partitions.onFailure(hosted(node, "orders", 0), new IOException("No space left on device"));

            assertThat(node.failed).isEmpty();
            assertThat(produce(node, "orders", 0, "x").error()).isEqualTo(Errors.NONE);
        }
    }

    @Test
    void whoWaitsForALeaderIsTold() throws Exception {
        try (TestNode node = new TestNode(dir("a"))) {
            var answer = node.partitions.whenServing("orders", 0, 1_000);
            var never = node.partitions.whenServing("other", 0, 1_000);
            assertThat(answer.isComplete()).isFalse();

            node.create("orders", 1);
            node.clock.advance(1_000);

            assertThat(answer.result()).isTrue();
            assertThat(never.result()).isFalse();
            assertThat(node.partitions.whenServing("orders", 0, 1_000).result()).isTrue();
        }
    }

    private static AppendOutcome produce(TestNode node, String topic, int index, String... values) {
        Partition partition = node.partitions.lookup(topic, index).partition();
        return partition == null
                ? AppendOutcome.refused(node.partitions.lookup(topic, index).error(), null)
                : partition
                        .produce(Batches.of(node.clock.wallMs(), values), (short) -1, 1_000)
                        .result();
    }

    private static Partition hosted(TestNode node, String topic, int index) {
        Partition partition = node.partitions.lookup(topic, index).partition();
        if (partition == null) {
            throw new AssertionError(topic + "-" + index + " is not hosted");
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
