package io.highwater.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

class ImagesTest {
    @Test
    void aBrokerThatIsFencedIsNoNodeForClients() {
        ClusterImage image = ClusterImage.builder()
                .broker(broker(1, false))
                .broker(broker(2, true))
                .build();

        assertThat(image.aliveNodes("PLAINTEXT"))
                .singleElement()
                .satisfies(node -> assertThat(node.id()).isEqualTo(1));
        assertThat(image.aliveNode(2, "PLAINTEXT")).isEmpty();
        assertThat(image.aliveNode(1, "SSL")).isEmpty();
        assertThat(image.broker(2)).isNotNull();
    }

    @Test
    void aTopicIsFoundByNameAndById() {
        Uuid id = Uuid.randomUuid();
        ClusterImage image = ClusterImage.builder()
                .topic(new TopicView("orders", id, List.of(partition(id, List.of(1, 2)))))
                .config(new ConfigResource(ConfigResource.Type.TOPIC, "orders"), Map.of("retention.ms", "1"))
                .feature("metadata.version", 33)
                .offset(7)
                .build();

        assertThat(image.topic("orders")).isSameAs(image.topic(id));
        assertThat(image.partition("orders", 0))
                .isSameAs(image.partition(id, 0))
                .isNotNull();
        assertThat(image.partition("orders", 1)).isNull();
        assertThat(image.partition("other", 0)).isNull();
        assertThat(image.finalizedFeature("metadata.version")).isEqualTo((short) 33);
        assertThat(image.finalizedFeature("unknown")).isZero();
        assertThat(image.offset()).isEqualTo(7);
    }

    @Test
    void aReplicasDirectoryIsThatOfItsPlace() {
        Uuid id = Uuid.randomUuid();
        PartitionView partition = partition(id, List.of(4, 2));

        assertThat(partition.directoryOf(2)).isEqualTo(partition.directories().get(1));
        assertThat(partition.directoryOf(9)).isEqualTo(Uuid.ZERO_UUID);
        assertThat(partition.assignedTo(4)).isTrue();
        assertThatThrownBy(() -> new PartitionView(
                        "t",
                        id,
                        0,
                        1,
                        0,
                        0,
                        List.of(1, 2),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("0 directories for 2 replicas of t-0");
    }

    @Test
    void topicSettingsKnowTheirDefaultsAndTheBrokersNamesForThem() {
        ConfigDefinition retention =
                Objects.requireNonNull(ControlPlane.topicConfigDefinitions().get("retention.ms"));

        assertThat(retention.type()).isEqualTo(ConfigEntry.ConfigType.LONG);
        assertThat(retention.defaultValue()).isEqualTo("604800000");
        assertThat(retention.brokerSynonyms())
                .extracting(ConfigDefinition.Synonym::brokerConfig)
                .containsExactly("log.retention.ms", "log.retention.minutes", "log.retention.hours");
        assertThat(retention.brokerSynonyms().get(2).toTopicValue().apply("2")).isEqualTo("7200000");
    }

    @Test
    void theFeatureRangesCoverRelease44() {
        assertThat(ControlPlane.supportedFeatures().get("metadata.version"))
                .satisfies(range -> assertThat(range.max()).isEqualTo((short) 33));
        assertThat(ControlPlane.supportedFeatures())
                .containsKeys("group.version", "transaction.version", "eligible.leader.replicas.version");
    }

    private static BrokerView broker(int id, boolean fenced) {
        return new BrokerView(
                id,
                10,
                Uuid.randomUuid(),
                fenced,
                false,
                null,
                Map.of("PLAINTEXT", TestNode.endpoint("PLAINTEXT", 9092)),
                List.of());
    }

    private static PartitionView partition(Uuid topicId, List<Integer> replicas) {
        return new PartitionView(
                "orders",
                topicId,
                0,
                replicas.get(0),
                0,
                0,
                replicas,
                replicas,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                replicas.stream().map(replica -> Uuid.randomUuid()).toList(),
                false);
    }
}
