package io.highwater.itests.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;

/** What is waited for, within bounds. */
public final class Conditions {
    static final Duration PATIENCE = Duration.ofSeconds(90);

    private Conditions() {}

    /** Every partition has all its replicas in sync. */
    static void awaitFullIsr(Admin admin, String topic) {
        awaitIsr(admin, topic, Cluster.SIZE);
    }

    /** Every partition has that many replicas in sync. */
    public static void awaitIsr(Admin admin, String topic, int size) {
        Awaitility.await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> {
            TopicDescription description = describe(admin, topic);
            assertThat(description.partitions()).allMatch(one -> one.isr().size() == size);
        });
    }

    /** That broker, the preferred one, leads; an election is asked for until it does. */
    static void awaitLed(Admin admin, TopicPartition partition, int id) {
        Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            var unused = admin.electLeaders(ElectionType.PREFERRED, Set.of(partition))
                    .partitions()
                    .get();
            TopicDescription description = describe(admin, partition.topic());
            return description.partitions().get(partition.partition()).leader().id() == id;
        });
    }

    private static TopicDescription describe(Admin admin, String topic) throws Exception {
        return admin.describeTopics(List.of(topic))
                .allTopicNames()
                .get()
                .values()
                .iterator()
                .next();
    }
}
