package io.highwater.broker.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.controlplane.NodeSettings;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.Test;

class NodeTest {
    @Test
    void advertisesThePortThatTheSystemPicked() {
        NodeSettings node = Node.settings(
                config("PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:0"),
                Map.of("PLAINTEXT", 4711, "CONTROLLER", 4712));

        assertThat(node.brokerEndpoints()).extracting(Endpoint::port).containsExactly(4711);
        assertThat(node.controllerEndpoints()).extracting(Endpoint::port).containsExactly(4712);
        assertThat(node.properties()).containsEntry("controller.quorum.bootstrap.servers", "127.0.0.1:4712");
    }

    @Test
    void keepsAConfiguredPort() {
        NodeSettings node = Node.settings(
                config("PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093"),
                Map.of("PLAINTEXT", 9092, "CONTROLLER", 9093));

        assertThat(node.brokerEndpoints()).extracting(Endpoint::port).containsExactly(9092);
        assertThat(node.properties()).doesNotContainEntry("controller.quorum.bootstrap.servers", "127.0.0.1:9093");
    }

    @Test
    void advertisesTheNameOfTheMachineForAListenerOnEveryInterface() {
        NodeSettings node = Node.settings(config("PLAINTEXT://:9092,CONTROLLER://127.0.0.1:9093"), Map.of());

        assertThat(node.brokerEndpoints()).extracting(Endpoint::host).doesNotContain("", "0.0.0.0");
    }

    @Test
    void tellsOtherBrokersWhereItsHttpIs() {
        Map<String, String> settings = new HashMap<>(
                config("PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093").raw());
        settings.put("highwater.http.port", "0");

        NodeSettings node = Node.settings(BrokerConfig.of(settings), Map.of(HeldPorts.HTTP, 4713));

        assertThat(node.brokerEndpoints())
                .contains(new Endpoint("HIGHWATER_HTTP", SecurityProtocol.PLAINTEXT, "127.0.0.1", 4713));
    }

    private static BrokerConfig config(String listeners) {
        Map<String, String> settings = new HashMap<>();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", "1");
        settings.put("listeners", listeners);
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("controller.quorum.bootstrap.servers", "127.0.0.1:1");
        settings.put("log.dirs", "/nowhere");
        settings.put("highwater.http.port", "-1");
        return BrokerConfig.of(settings);
    }
}
