package io.highwater.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SingleNodeTest {
    @TempDir
    Path directory;

    @Test
    void aFreshNodeFormatsItselfElectsItselfAndIsUnfenced() {
        try (TestNode node = TestNode.combined(1, directory).start()) {
            node.unfenced();

            assertThat(node.controlPlane.isActiveController()).isTrue();
            assertThat(node.controlPlane.image().broker(1)).satisfies(broker -> {
                assertThat(broker.fenced()).isFalse();
                assertThat(broker.endpoints()).containsKey("PLAINTEXT");
            });
        }
    }

    @Test
    void aTopicIsCreatedThroughTheSocket() {
        try (TestNode node = TestNode.combined(1, directory).start().unfenced()) {
            CreateTopicsResponseData answer =
                    node.ask(ApiKeys.CREATE_TOPICS, topic("orders", 3), CreateTopicsResponseData.class);

            assertThat(Errors.forCode(answer.topics().find("orders").errorCode()))
                    .isEqualTo(Errors.NONE);
        }
    }

    static CreateTopicsRequestData topic(String name, int partitions) {
        CreateTopicsRequestData request = new CreateTopicsRequestData().setTimeoutMs(10_000);
        request.topics()
                .add(new CreateTopicsRequestData.CreatableTopic()
                        .setName(name)
                        .setNumPartitions(partitions)
                        .setReplicationFactor((short) 1));
        return request;
    }
}
