package io.highwater.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ReplicationThrottleTest {
    private static final int NODE = 1;

    private final ManualClock clock = new ManualClock();
    private final Map<String, String> lists =
            Map.of("all", "*", "some", "0:1, 1:2,2:1", "none", "", "huge", "99999999999:1,3:1");
    private long rate = 1_000;
    private final ReplicationThrottle throttle =
            new ReplicationThrottle(NODE, () -> rate, lists::get, 11, 1_000, clock);

    @Test
    void appliesToListedReplicasOfThisBroker() {
        assertThat(throttle.appliesTo(new TopicPartition("all", 7))).isTrue();
        assertThat(throttle.appliesTo(new TopicPartition("some", 0))).isTrue();
        assertThat(throttle.appliesTo(new TopicPartition("some", 1))).isFalse();
        assertThat(throttle.appliesTo(new TopicPartition("some", 2))).isTrue();
        assertThat(throttle.appliesTo(new TopicPartition("none", 0))).isFalse();
        assertThat(throttle.appliesTo(new TopicPartition("unknown", 0))).isFalse();
    }

    @Test
    void aNumberThatNoPartitionHasSpoilsNothing() {
        assertThat(throttle.appliesTo(new TopicPartition("huge", 3))).isTrue();
    }

    @Test
    void withoutARateItAppliesToNobody() {
        rate = ReplicationThrottle.UNLIMITED;

        assertThat(throttle.appliesTo(new TopicPartition("all", 0))).isFalse();
    }

    @Test
    void whatWentTooFastIsMadeUpForByTime() {
        throttle.record(3_000);
        assertThat(throttle.isExceeded()).isTrue();

        clock.advance(2_999);
        assertThat(throttle.isExceeded()).isTrue();

        clock.advance(1);
        assertThat(throttle.isExceeded()).isFalse();
    }

    @Test
    void oldWindowsAreForgotten() {
        throttle.record(1_000_000);

        clock.advance(11_000);
        throttle.record(500);

        assertThat(throttle.isExceeded()).isFalse();
    }
}
