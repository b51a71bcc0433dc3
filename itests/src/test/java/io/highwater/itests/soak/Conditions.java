package io.highwater.itests.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.awaitility.Awaitility;

/** What is waited for, within bounds. */
final class Conditions {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private Conditions() {}

    /** All brokers are there. */
    static void awaitBrokers(Admin admin) {
        Awaitility.await()
                .atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> admin.describeCluster().nodes().get().size() == Cluster.SIZE);
    }

    /** Every partition has all its replicas in sync. */
    static void awaitFullIsr(Admin admin, String topic) {
        Awaitility.await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> {
            TopicDescription description =
                    admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
            assertThat(description.partitions()).allMatch(one -> one.isr().size() == Cluster.SIZE);
        });
    }
}
