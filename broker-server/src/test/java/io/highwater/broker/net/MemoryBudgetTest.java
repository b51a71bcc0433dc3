package io.highwater.broker.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private static final int LIMIT = 10_000_000;

    private final MemoryBudget budget = new MemoryBudget(LIMIT);
    private final AtomicInteger woken = new AtomicInteger();

    @Test
    void aConnectionMayHoldAtMostWhatIsStillFree() {
        assertThat(budget.tryReserve(0, 4_000_000)).isTrue();
        assertThat(budget.tryReserve(4_000_000, 1_000_000)).isTrue();

        assertThat(budget.tryReserve(5_000_000, 1)).isFalse();
        assertThat(budget.tryReserve(1_000_000, 1_000_000)).isTrue();
    }

    @Test
    void aConnectionThatHoldsNothingMayGoOverTheLimitOnce() {
        assertThat(budget.tryReserve(0, LIMIT - 1)).isTrue();
        assertThat(budget.tryReserve(0, LIMIT)).isTrue();

        assertThat(budget.tryReserve(0, LIMIT)).isFalse();
        assertThat(budget.usedBytes()).isEqualTo(2L * LIMIT - 1);
    }

    @Test
    void aSmallShareIsAlwaysThere() {
        budget.tryReserve(0, LIMIT);

        assertThat(budget.tryReserve(0, MemoryBudget.SMALL_SHARE_BYTES)).isTrue();
        assertThat(budget.tryReserve(1_000, MemoryBudget.SMALL_SHARE_BYTES - 1_000))
                .isTrue();
        assertThat(budget.tryReserve(1_000, MemoryBudget.SMALL_SHARE_BYTES)).isFalse();
    }

    @Test
    void whoWaitsIsWokenOnceHalfIsFree() {
        budget.tryReserve(0, LIMIT);
        assertThat(budget.onRoom(0, LIMIT, woken::incrementAndGet)).isTrue();
        assertThat(budget.isShort()).isTrue();

        budget.release(LIMIT / 2 - 1);
        assertThat(woken).hasValue(0);

        budget.release(1);
        assertThat(woken).hasValue(1);
        assertThat(budget.isShort()).isFalse();
    }

    @Test
    void whoComesToWaitWhenThereIsRoomIsWokenAtOnce() {
        budget.onRoom(0, LIMIT, woken::incrementAndGet);

        assertThat(woken).hasValue(1);
    }

    @Test
    void whoHoldsTooMuchForAnyWakeUpIsNotKeptWaiting() {
        budget.tryReserve(0, LIMIT);

        assertThat(budget.onRoom(LIMIT, 1, woken::incrementAndGet)).isFalse();
    }

    @Test
    void givingBackMoreThanWasTakenIsOurMistake() {
        assertThatThrownBy(() -> budget.release(1)).isInstanceOf(IllegalStateException.class);
    }
}
