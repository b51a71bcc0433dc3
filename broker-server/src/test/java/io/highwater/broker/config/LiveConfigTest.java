package io.highwater.broker.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveConfigTest {
    private final LiveConfig live = new LiveConfig(
            BrokerConfig.of(ContradictionsTest.combinedWith("log.retention.hours=1;message.max.bytes=10")));

    @Test
    void aBrokersOwnValueWinsOverTheClustersAndThatOverTheFiles() {
        live.applyDynamic(
                Map.of("message.max.bytes", "20", "log.segment.bytes", "2097152"), Map.of("message.max.bytes", "30"));

        assertThat(live.current().getInt("message.max.bytes")).isEqualTo(30);
        assertThat(live.current().topicConfig(Map.of()))
                .containsEntry("max.message.bytes", "30")
                .containsEntry("segment.bytes", "2097152")
                .containsEntry("retention.ms", "3600000");

        live.applyDynamic(Map.of("message.max.bytes", "20"), Map.of());

        assertThat(live.current().getInt("message.max.bytes")).isEqualTo(20);
        assertThat(live.current().topicConfig(Map.of())).containsEntry("segment.bytes", "1073741824");

        live.applyDynamic(Map.of(), Map.of());

        assertThat(live.current().getInt("message.max.bytes")).isEqualTo(10);
    }

    @Test
    void theSettingInMillisecondsWinsOverTheOneInHoursWhereverItIsGiven() {
        live.applyDynamic(Map.of("log.retention.ms", "5"), Map.of());

        assertThat(live.current().topicConfig(Map.of())).containsEntry("retention.ms", "5");
    }

    @Test
    void whoeverFollowsIsToldOfEachChangeOnce() {
        List<Integer> told = new ArrayList<>();
        live.onChange(config -> told.add(config.getInt("message.max.bytes")));

        live.applyDynamic(Map.of("message.max.bytes", "20"), Map.of());
        live.applyDynamic(Map.of("message.max.bytes", "20"), Map.of());
        live.applyDynamic(Map.of(), Map.of());

        assertThat(told).containsExactly(20, 10);
    }

    @Test
    void whatDoesNotParseOrMayNotChangeIsLeftOut() {
        List<String> leftOut = live.applyDynamic(
                Map.of("message.max.bytes", "much", "node.id", "7", "log.segment.bytes", "2097152"), Map.of());

        assertThat(leftOut).hasSize(2);
        assertThat(live.current().nodeId()).isEqualTo(1);
        assertThat(live.current().getInt("message.max.bytes")).isEqualTo(10);
        assertThat(live.current().getInt("log.segment.bytes")).isEqualTo(2097152);
    }

    @Test
    void whatContradictsItselfChangesNothing() {
        List<String> leftOut = live.applyDynamic(Map.of("max.connections.per.ip", "0"), Map.of());

        assertThat(leftOut).singleElement().asString().contains("lets nobody in");
        assertThat(live.current().getInt("max.connections.per.ip")).isEqualTo(2147483647);
    }
}
