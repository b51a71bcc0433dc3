package io.highwater.broker.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerConfigTest {
    @Test
    void withoutAFileTheQuorumIsWhereTheOwnControllerListens() throws Exception {
        BrokerConfig config = BrokerConfig.load(
                null, Map.of("listeners", "PLAINTEXT://127.0.0.1:19092, CONTROLLER://127.0.0.1:19093"));

        assertThat(config.getList("controller.quorum.bootstrap.servers")).containsExactly("127.0.0.1:19093");
    }

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

    @Test
    void aFileAsKafkaShipsItStarts(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("server.properties");
        Files.writeString(file, """
            process.roles=broker,controller
            node.id=1
            controller.quorum.bootstrap.servers=localhost:9093
            listeners=PLAINTEXT://:9092,CONTROLLER://:9093
            inter.broker.listener.name=PLAINTEXT
            advertised.listeners=PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093
            controller.listener.names=CONTROLLER
            listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_SSL:SASL_SSL
            num.network.threads=3
            num.io.threads=8
            log.dirs=/var/lib/one, /var/lib/two
            num.partitions=1
            log.retention.hours=168
            log.segment.bytes=1073741824
            """);

        BrokerConfig config = BrokerConfig.load(file, Map.of("num.partitions", "3"));

        assertThat(config.brokerListeners()).hasToString("[PLAINTEXT://:9092]");
        assertThat(config.advertisedBrokerListeners()).hasToString("[PLAINTEXT://localhost:9092]");
        assertThat(config.advertisedControllerListeners()).hasToString("[CONTROLLER://localhost:9093]");
        assertThat(config.logDirs()).containsExactly(Path.of("/var/lib/one"), Path.of("/var/lib/two"));
        assertThat(config.getInt("num.partitions")).as("the command line wins").isEqualTo(3);
        assertThat(config.getInt("offsets.topic.replication.factor"))
                .as("a file gets Kafka's defaults")
                .isEqualTo(3);
        assertThat(config.warnings())
                .containsExactly("set, but without effect in Highwater: num.io.threads, num.network.threads");
    }

    @Test
    void everyOwnSettingIsDocumented() throws IOException {
        String document = Files.readString(Path.of("..", "docs", "configuration.md"));

        assertThat(SettingTable.BROKER.all())
                .filteredOn(setting -> setting.name().startsWith("highwater."))
                .isNotEmpty()
                .allSatisfy(setting -> assertThat(document).contains("`" + setting.name() + "`"));
    }
}
