package io.highwater.broker.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BrokerConfigTest {
    @Test
    void withoutAFileItIsOneNodeOnLoopback() throws IOException {
        BrokerConfig config = BrokerConfig.load(null, Map.of());

        assertThat(config.nodeId()).isEqualTo(1);
        assertThat(config.isBroker()).isTrue();
        assertThat(config.isController()).isTrue();
        assertThat(config.brokerListeners()).hasToString("[PLAINTEXT://127.0.0.1:9092]");
        assertThat(config.controllerListeners()).hasToString("[CONTROLLER://127.0.0.1:9093]");
        assertThat(config.advertisedBrokerListeners()).isEqualTo(config.brokerListeners());
        assertThat(config.interBrokerListenerName()).isEqualTo("PLAINTEXT");
        assertThat(config.logDirs()).containsExactly(Path.of("highwater-data").toAbsolutePath());
        assertThat(config.metadataLogDir()).isEqualTo(config.logDirs().get(0));
        assertThat(config.getInt("offsets.topic.replication.factor")).isEqualTo(1);
        assertThat(config.httpPort()).isEqualTo(9404);
    }

    @Test
    void aTopicFallsBackToTheBrokersSettingInItsOwnUnit() throws IOException {
        BrokerConfig config = BrokerConfig.load(null, Map.of("log.retention.minutes", "5", "log.roll.hours", "2"));

        Map<String, String> topic = config.topicConfig(Map.of("segment.bytes", "2097152"));

        assertThat(topic)
                .containsEntry("retention.ms", "300000")
                .containsEntry("segment.ms", "7200000")
                .containsEntry("segment.bytes", "2097152")
                .containsEntry("cleanup.policy", "delete");
    }
}
