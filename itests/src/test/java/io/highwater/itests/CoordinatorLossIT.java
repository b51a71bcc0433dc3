package io.highwater.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highwater.testkit.HighwaterCluster;
import io.highwater.testkit.HighwaterTestCluster;
import io.highwater.testkit.TestBroker;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Groups outlive the broker that coordinates them. */
@HighwaterCluster(
        brokers = 3,
        config = {
            "offsets.topic.num.partitions=1",
            "min.insync.replicas=2",
            "group.consumer.min.heartbeat.interval.ms=200",
            "group.consumer.heartbeat.interval.ms=200",
            "group.consumer.assignment.interval.ms=0"
        })
class CoordinatorLossIT {
    private final HighwaterTestCluster cluster;

    CoordinatorLossIT(HighwaterTestCluster cluster) {
        this.cluster = cluster;
    }

    @AfterEach
    void everybodyBack() {
        cluster.startAll();
    }

    @ParameterizedTest
    @EnumSource
    void aGroupGoesOnWithWhatItHadCommitted(GroupProtocol protocol) throws Exception {
        String topic = "outlives-" + protocol;
        String group = "group-" + protocol;
        cluster.createTopic(topic, 2, 3);
        try (Member member = new Member(cluster, protocol, group, topic)) {
            Clients.writeNumbered(cluster.bootstrapServers(), topic, 0, 10, Map.of());
            patiently().until(() -> member.values().size() == 10);
            TestBroker coordinator = cluster.leaderOf("__consumer_offsets", 0);

            coordinator.kill();

            Clients.writeNumbered(cluster.bootstrapServers(), topic, 10, 20, Map.of());
            patiently().until(() -> member.values().stream().distinct().count() == 20);
            patiently().untilAsserted(() -> assertThat(committed(group)).isEqualTo(20));
            assertThat(cluster.leaderOf("__consumer_offsets", 0)).isNotSameAs(coordinator);
        }
    }

    private long committed(String group) throws Exception {
        Map<TopicPartition, OffsetAndMetadata> offsets = cluster.admin()
                .listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
        return offsets.values().stream().mapToLong(OffsetAndMetadata::offset).sum();
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(60));
    }
}
