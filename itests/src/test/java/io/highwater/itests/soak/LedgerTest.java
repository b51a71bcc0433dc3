package io.highwater.itests.soak;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** That the checker finds what it is there to find. */
class LedgerTest {
    private final Ledger ledger = new Ledger();

    @Test
    void findsNothingWhereNothingIsWrong() {
        acknowledge(0, 1, 2);
        store(0, 1, 2);
        ledger.onSeen(1, 1);
        assertThat(ledger.findings()).isEqualTo(new Ledger.Findings(3, 3, 0, 1, 3, 0, 0, 0, 0));
    }

    @Test
    void findsALostRecord() {
        acknowledge(0, 1, 2);
        store(0, 1);
        assertThat(ledger.findings().lost()).isOne();
    }

    @Test
    void findsARecordThatIsThereTwice() {
        acknowledge(0, 1);
        store(0, 1, 1);
        assertThat(ledger.findings().duplicated()).isOne();
    }

    @Test
    void findsALateDuplicateAndAWrongOrder() {
        acknowledge(0, 1);
        store(0, 1, 0);
        assertThat(ledger.findings().reordered()).isOne();
    }

    @Test
    void findsWhatWasSeenAndLaterNeverHappened() {
        acknowledge(0);
        ledger.nextValue();
        ledger.nextValue();
        ledger.onSeen(1, 1);
        store(0, 2);
        assertThat(ledger.findings().ghosts()).isOne();
    }

    @Test
    void findsAnOffsetThatWasSeenWithTwoValues() {
        acknowledge(0);
        store(0);
        ledger.onSeen(0, 0);
        ledger.onSeen(0, 7);
        assertThat(ledger.findings().ghosts()).isOne();
    }

    private void acknowledge(int... offsets) {
        for (int offset : offsets) {
            ledger.onAcknowledged(ledger.nextValue(), offset);
        }
    }

    private void store(int... values) {
        for (int offset = 0; offset < values.length; offset++) {
            ledger.onFinal(offset, values[offset]);
        }
    }
}
