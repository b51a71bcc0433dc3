package io.highwater.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highwater.testkit.HighwaterCluster;
import io.highwater.testkit.HighwaterTestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stock consumers of both protocols in groups. */
@HighwaterCluster(
        config = {
            "offsets.topic.num.partitions=3",
            "group.consumer.min.heartbeat.interval.ms=200",
            "group.consumer.heartbeat.interval.ms=200",
            "group.consumer.assignment.interval.ms=0"
        })
class GroupsTest {
    private final HighwaterTestCluster cluster;
    private String topic = "";
    private String group = "";

    GroupsTest(HighwaterTestCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void ownNames(TestInfo test) {
        String name = test.getTestMethod().orElseThrow().getName() + System.nanoTime();
        topic = "topic-" + name;
        group = "group-" + name;
        cluster.createTopic(topic, 4);
    }

    @ParameterizedTest
    @EnumSource
    void membersShareThePartitionsAndReadEverythingOnce(GroupProtocol protocol) {
        try (Member one = new Member(cluster, protocol, group, topic);
                Member other = new Member(cluster, protocol, group, topic)) {
            patiently()
                    .until(() ->
                            one.assignment().size() == 2 && other.assignment().size() == 2);

            write(0, 100);

            patiently().until(() -> one.values().size() + other.values().size() == 100);
            Set<String> all = new HashSet<>(one.values());
            all.addAll(other.values());
            assertThat(all).hasSize(100);
            assertThat(one.values()).isNotEmpty();
            assertThat(other.values()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoStaysTakesOverFromWhoLeaves(GroupProtocol protocol) {
        try (Member stays = new Member(cluster, protocol, group, topic)) {
            try (Member leaves = new Member(cluster, protocol, group, topic)) {
                patiently().until(() -> leaves.assignment().size() == 2);
            }

            patiently().until(() -> stays.assignment().size() == 4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatWasCommittedIsNotReadAgainAfterARestart(GroupProtocol protocol) {
        write(0, 10);
        try (Member before = new Member(cluster, protocol, group, topic)) {
            patiently().until(() -> before.values().size() == 10);
        }

        cluster.broker(1).restart();
        write(10, 15);

        try (Member after = new Member(cluster, protocol, group, topic)) {
            patiently().until(() -> after.values().size() >= 5);
            assertThat(after.values()).containsExactlyInAnyOrder("10", "11", "12", "13", "14");
        }
    }

    @ParameterizedTest
    @EnumSource
    void membersLiveThroughARestartOfTheBroker(GroupProtocol protocol) {
        try (Member member = new Member(cluster, protocol, group, topic)) {
            write(0, 10);
            patiently().until(() -> member.values().size() == 10);

            cluster.broker(1).restart();
            write(10, 20);

            patiently().until(() -> new HashSet<>(member.values()).size() == 20);
        }
    }

    @ParameterizedTest
    @EnumSource
    void newPartitionsAreRead(GroupProtocol protocol) throws Exception {
        try (Member member = new Member(cluster, protocol, group, topic)) {
            patiently().until(() -> member.assignment().size() == 4);

            cluster.admin()
                    .createPartitions(Map.of(topic, NewPartitions.increaseTo(6)))
                    .all()
                    .get();

            patiently().until(() -> member.assignment().size() == 6);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStaticMemberFindsItsPartitionsAgain(GroupProtocol protocol) {
        Map<String, Object> settings = Map.of("group.instance.id", "one");
        Set<TopicPartition> held;
        try (Member other = new Member(cluster, protocol, group, topic)) {
            try (Member member =
                    new Member(cluster, protocol, group, settings, consumer -> consumer.subscribe(List.of(topic)))) {
                patiently().until(() -> member.assignment().size() == 2);
                held = member.assignment();
            }

            try (Member again =
                    new Member(cluster, protocol, group, settings, consumer -> consumer.subscribe(List.of(topic)))) {
                patiently().until(() -> again.assignment().size() == 2);
                assertThat(again.assignment()).isEqualTo(held);
                assertThat(other.assignment()).doesNotContainAnyElementsOf(held);
            }
        }
    }

    @Test
    void topicsAreFoundByAPatternOfTheBroker() {
        cluster.createTopic(topic + "-more", 1);

        try (Member member = new Member(
                cluster,
                GroupProtocol.CONSUMER,
                group,
                Map.of(),
                consumer -> consumer.subscribe(new SubscriptionPattern(topic + ".*")))) {

            patiently().until(() -> member.assignment().size() == 5);
        }
    }

    @ParameterizedTest
    @EnumSource
    void administratorsDescribeListAndDeleteGroups(GroupProtocol protocol) throws Exception {
        Admin admin = cluster.admin();
        write(0, 10);
        GroupType type = protocol == GroupProtocol.CLASSIC ? GroupType.CLASSIC : GroupType.CONSUMER;
        try (Member member = new Member(cluster, protocol, group, topic)) {
            patiently().until(() -> member.values().size() == 10);

            ConsumerGroupDescription description = admin.describeConsumerGroups(List.of(group))
                    .describedGroups()
                    .get(group)
                    .get();
            assertThat(description.groupState()).isEqualTo(GroupState.STABLE);
            assertThat(description.type()).isEqualTo(type);
            assertThat(description.members())
                    .singleElement()
                    .satisfies(one ->
                            assertThat(one.assignment().topicPartitions()).hasSize(4));
            assertThat(admin.listGroups().all().get())
                    .contains(new GroupListing(group, Optional.of(type), "consumer", Optional.of(GroupState.STABLE)));
            assertThatThrownBy(() ->
                            admin.deleteConsumerGroups(List.of(group)).all().get())
                    .hasCauseInstanceOf(GroupNotEmptyException.class);
        }
        patiently()
                .until(() -> admin.describeConsumerGroups(List.of(group))
                                .describedGroups()
                                .get(group)
                                .get()
                                .groupState()
                        == GroupState.EMPTY);

        assertThat(committed().values().stream()
                        .mapToLong(OffsetAndMetadata::offset)
                        .sum())
                .isEqualTo(10);
        admin.deleteConsumerGroups(List.of(group)).all().get();

        assertThatThrownBy(() -> admin.describeConsumerGroups(List.of(group))
                        .describedGroups()
                        .get(group)
                        .get())
                .hasCauseInstanceOf(GroupIdNotFoundException.class);
        assertThat(committed()).isEmpty();
    }

    @Test
    void administratorsSetAndDeleteOffsets() throws Exception {
        TopicPartition first = new TopicPartition(topic, 0);
        TopicPartition second = new TopicPartition(topic, 1);
        Admin admin = cluster.admin();

        admin.alterConsumerGroupOffsets(
                        group, Map.of(first, new OffsetAndMetadata(3, "three"), second, new OffsetAndMetadata(4)))
                .all()
                .get();
        admin.deleteConsumerGroupOffsets(group, Set.of(second)).all().get();

        assertThat(committed()).containsExactly(Map.entry(first, new OffsetAndMetadata(3, "three")));
    }

    @Test
    void offsetsOfADeletedTopicGo() throws Exception {
        cluster.admin()
                .alterConsumerGroupOffsets(group, Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(3)))
                .all()
                .get();

        cluster.admin().deleteTopics(List.of(topic)).all().get();

        patiently().until(() -> committed().isEmpty());
    }

    @Test
    void aGroupHasSettingsOfItsOwn() throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.GROUP, group);
        cluster.admin()
                .incrementalAlterConfigs(Map.of(
                        resource,
                        List.of(new AlterConfigOp(
                                new ConfigEntry("consumer.session.timeout.ms", "50000"), AlterConfigOp.OpType.SET))))
                .all()
                .get();

        assertThat(cluster.admin()
                        .describeConfigs(List.of(resource))
                        .all()
                        .get()
                        .get(resource)
                        .get("consumer.session.timeout.ms")
                        .value())
                .isEqualTo("50000");
        try (Member member = new Member(cluster, GroupProtocol.CONSUMER, group, topic)) {
            patiently().until(() -> member.assignment().size() == 4);
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> committed() throws ExecutionException, InterruptedException {
        return cluster.admin()
                .listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
    }

    /** Values from (inclusive) to (exclusive), spread over the partitions. */
    private void write(int from, int to) {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", cluster.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            List<Future<?>> sent = new ArrayList<>();
            IntStream.range(from, to)
                    .forEach(value -> sent.add(
                            producer.send(new ProducerRecord<>(topic, value % 4, null, Integer.toString(value)))));
            for (Future<?> one : sent) {
                one.get();
            }
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(60));
    }
}
