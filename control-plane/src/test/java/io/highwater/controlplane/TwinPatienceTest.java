package io.highwater.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TwinPatienceTest {
    private static final long SESSION = 100;
    private final TwinPatience patience = new TwinPatience(SESSION);

    @Test
    void whoOutlivesTwoSessionsUnderOneControllerIsAlive() {
        assertThat(patience.isOver(5, 1_000)).isFalse();
        assertThat(patience.isOver(5, 1_200)).isFalse();
        assertThat(patience.isOver(5, 1_201)).isTrue();
    }

    @Test
    void theTimeBeforeAControllerAnswersDoesNotCount() {
        assertThat(patience.isOver(5, 1_000_000)).isFalse();
    }

    @Test
    void aNewControllerBeginsEverySessionAnew() {
        assertThat(patience.isOver(5, 1_000)).isFalse();
        assertThat(patience.isOver(6, 1_250)).isFalse();
        assertThat(patience.isOver(6, 1_450)).isFalse();
        assertThat(patience.isOver(6, 1_451)).isTrue();
    }

    @Test
    void theClockMayPassItsEnd() {
        assertThat(patience.isOver(5, Long.MAX_VALUE - 10)).isFalse();
        assertThat(patience.isOver(5, Long.MIN_VALUE + 10)).isFalse();
        assertThat(patience.isOver(5, Long.MIN_VALUE + 300)).isTrue();
    }
}
