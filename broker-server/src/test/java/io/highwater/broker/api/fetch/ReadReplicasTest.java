package io.highwater.broker.api.fetch;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highwater.broker.config.InvalidSettingException;
import io.highwater.controlplane.ClusterImage;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadReplicasTest {
    @ParameterizedTest
    @ValueSource(strings = {"no.such.Selector", "java.lang.String", "org.apache.kafka.common.replica.ReplicaSelector"})
    void aSelectorThatCannotBeMadeKeepsTheBrokerFromStarting(String className) {
        assertThatThrownBy(() -> ReadReplicas.of(className, 1, Map.of(), ClusterImage::empty))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("replica.selector.class=" + className + " cannot be used");
    }
}
