package io.highwater.broker.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.highwater.broker.api.TestCluster;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.ImageBuilder;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

class DurabilityLintTest {
    private static final long NOW_MS = 1_000_000_000;
    private static final TopicSettings DEFAULTS = new TopicSettings(
            Map.<String, Object>of("min.insync.replicas", 1, "unclean.leader.election.enable", false)::get);

    private final ImageBuilder image = ClusterImage.builder();

    @Test
    void eachRuleFindsItsTopic() {
        brokers(3);
        topic("one", Map.of(), 1);
        topic("loose", Map.of(), 1, 2, 3);
        topic("tight", Map.of("min.insync.replicas", "3"), 1, 2, 3);
        topic("unclean", Map.of("min.insync.replicas", "2", "unclean.leader.election.enable", "true"), 1, 2, 3);
        topic("__consumer_offsets", Map.of("min.insync.replicas", "1"), 1, 2);
        topic("good", Map.of("min.insync.replicas", "2"), 1, 2, 3);

        assertThat(findings(Map.of()))
                .extracting(LintFinding::topic, LintFinding::rule)
                .containsExactly(
                        tuple("__consumer_offsets", "internal-replication"),
                        tuple("__consumer_offsets", "min-isr-one"),
                        tuple("loose", "min-isr-one"),
                        tuple("one", "one-copy"),
                        tuple("tight", "min-isr-all"),
                        tuple("unclean", "unclean-election"));
    }

    @Test
    void producersThatDoNotWaitAreFoundForAnHour() {
        brokers(3);
        topic("good", Map.of("min.insync.replicas", "2"), 1, 2, 3);

        assertThat(findings(
                        Map.of("good", new AcksSeen("good", NOW_MS - 1, NOW_MS - DurabilityLint.ACKS_REMEMBERED_MS))))
                .extracting(LintFinding::rule)
                .containsExactly("acks-none");
    }

    @Test
    void aSingleBrokerIsOneFindingAndNotOneForEachTopic() {
        brokers(1);
        topic("a", Map.of(), 1);
        topic("b", Map.of(), 1);

        assertThat(findings(Map.of())).extracting(LintFinding::rule).containsExactly("one-broker");
    }

    @Test
    void thereIsABoundToWhatIsListed() {
        brokers(3);
        for (int i = 0; i < DurabilityLint.MOST_FINDINGS + 5; i++) {
            topic("t" + i, Map.of(), 1);
        }

        assertThat(findings(Map.of())).hasSize(DurabilityLint.MOST_FINDINGS);
    }

    private void brokers(int count) {
        for (int id = 1; id <= count; id++) {
            image.broker(TestCluster.broker(id, false, "PLAINTEXT"));
        }
    }

    private void topic(String name, Map<String, String> config, Integer... replicas) {
        image.topic(TestCluster.topic(name, 2, replicas));
        image.config(new ConfigResource(ConfigResource.Type.TOPIC, name), config);
    }

    private List<LintFinding> findings(Map<String, AcksSeen> acks) {
        return new DurabilityLint(image.build(), DEFAULTS, acks, NOW_MS).findings();
    }
}
