package io.highwater.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScrapeRateTest {
    private static final long SECOND = 1_000_000_000;

    private final ScrapeRate rate = new ScrapeRate(0);

    @Test
    void aCountThatGrowsEvenlyHasOneRateHoweverOftenItIsLookedAt() {
        for (int second = 1; second < 100; second++) {
            assertThat(rate.at(7L * second, second * SECOND)).isEqualTo(7);
        }
    }

    @Test
    void whatIsLongOverIsForgotten() {
        rate.at(1_000, 15 * SECOND);
        rate.at(1_000, 30 * SECOND);

        assertThat(rate.at(1_000, 45 * SECOND)).isZero();
    }

    @Test
    void atOneMomentThereIsNoRate() {
        assertThat(rate.at(5, 0)).isZero();
    }
}
