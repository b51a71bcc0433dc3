package io.highwater.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.Test;

class ClusterMetricsTest {
    @Test
    void aBrokersAddressIsThatOfItsFirstListenerForClients() {
        ClusterImage image = ClusterImage.builder()
                .broker(broker(
                        7, Map.of("SASL", 9094, BrokerConfig.HTTP_LISTENER, 9404, "CLIENTS", 9092, "PLAIN", 9093)))
                .broker(broker(8, Map.of(BrokerConfig.HTTP_LISTENER, 9404)))
                .build();
        Metrics metrics = new Metrics(Dialects.usual());
        metrics.add(new ClusterMetrics(() -> image, () -> true, metrics.replicas()));

        assertThat(metrics.scrape().lines().filter(line -> line.startsWith("kafka_broker_info")))
                .containsExactly("kafka_broker_info{id=\"7\",address=\"host:9092\"} 1");
    }

    private static BrokerView broker(int id, Map<String, Integer> ports) {
        Map<String, Endpoint> endpoints = new HashMap<>();
        ports.forEach(
                (name, port) -> endpoints.put(name, new Endpoint(name, SecurityProtocol.PLAINTEXT, "host", port)));
        return new BrokerView(id, 1, Uuid.ONE_UUID, false, false, null, endpoints, List.of());
    }
}
