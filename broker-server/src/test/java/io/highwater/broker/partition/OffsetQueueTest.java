package io.highwater.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class OffsetQueueTest {
    private final OffsetQueue queue = new OffsetQueue();

    @Test
    void givesOutWhatTheWatermarkHasReachedLowestFirst() {
        AwaitedOffset five = awaiting(5);
        AwaitedOffset three = awaiting(3);
        AwaitedOffset nine = awaiting(9);
        queue.add(five);
        queue.add(three);
        queue.add(nine);

        assertThat(queue.takeUpTo(2)).isEmpty();
        assertThat(queue.takeUpTo(5)).containsExactly(three, five);
        assertThat(queue.takeUpTo(5)).isEmpty();
        assertThat(queue.takeAll()).containsExactly(nine);
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void whatWasTakenOutCannotBeRemovedAgain() {
        AwaitedOffset one = awaiting(1);
        queue.add(one);

        assertThat(queue.remove(one)).isTrue();
        assertThat(queue.remove(one)).isFalse();
    }

    private static AwaitedOffset awaiting(long offset) {
        return new AwaitedOffset(offset) {
            @Override
            void complete(Errors error) {}

            @Override
            protected void onPassed() {}
        };
    }
}
