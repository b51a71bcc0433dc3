package io.highwater.broker.api.configs;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.api.FakeControlPlane;
import io.highwater.broker.api.Requests;
import io.highwater.broker.api.TestCluster;
import io.highwater.controlplane.ClusterImage;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ListConfigResourcesRequestData;
import org.apache.kafka.common.message.ListConfigResourcesResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class ListConfigResourcesHandlerTest {
    private final FakeControlPlane controlPlane = new FakeControlPlane(ClusterImage.builder()
            .broker(TestCluster.broker(1, false, "PLAINTEXT"))
            .topic(TestCluster.topic("t", 1, 1))
            .config(new ConfigResource(ConfigResource.Type.TOPIC, "t"), Map.of("retention.ms", "1"))
            .config(new ConfigResource(ConfigResource.Type.GROUP, "g"), Map.of("consumer.session.timeout.ms", "1"))
            .config(new ConfigResource(ConfigResource.Type.CLIENT_METRICS, "m"), Map.of("interval.ms", "1"))
            .build());

    @Test
    void everyTypeIsListedUnlessSomeAreNamed() {
        assertThat(names(list(1)))
                .containsExactlyInAnyOrder("GROUP g", "CLIENT_METRICS m", "BROKER_LOGGER 1", "BROKER 1", "TOPIC t");
        assertThat(names(list(1, ConfigResource.Type.TOPIC, ConfigResource.Type.GROUP)))
                .containsExactlyInAnyOrder("GROUP g", "TOPIC t");
    }

    @Test
    void versionZeroKnowsClientMetricsOnly() {
        assertThat(names(list(0))).containsExactly("CLIENT_METRICS m");
        assertThat(list(0, ConfigResource.Type.TOPIC).errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
    }

    @Test
    void aTypeThatDoesNotExistIsRefused() {
        assertThat(list(1, ConfigResource.Type.UNKNOWN).errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
    }

    private ListConfigResourcesResponseData list(int version, ConfigResource.Type... types) {
        ListConfigResourcesRequestData body = new ListConfigResourcesRequestData()
                .setResourceTypes(
                        List.of(types).stream().map(ConfigResource.Type::id).toList());
        return (ListConfigResourcesResponseData)
                new ListConfigResourcesHandler(new ConfigsNeeds(TestCluster.config(Map.of()), controlPlane))
                        .handle(Requests.request(ApiKeys.LIST_CONFIG_RESOURCES, version, body), body)
                        .result();
    }

    private static List<String> names(ListConfigResourcesResponseData answer) {
        return answer.configResources().stream()
                .map(resource -> ConfigResource.Type.forId(resource.resourceType()) + " " + resource.resourceName())
                .toList();
    }
}
