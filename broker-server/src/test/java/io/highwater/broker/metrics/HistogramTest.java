package io.highwater.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistogramTest {
    private final Histogram histogram = new Histogram();

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 7, 8, 9, 100, 123_456_789, 1L << 44, Long.MAX_VALUE})
    void aValueLiesInItsBucketAndTheBucketIsNarrow(long value) {
        int bucket = Histogram.bucketOf(value);

        assertThat(Histogram.lowerBound(bucket)).isLessThanOrEqualTo(value);
        if (value < 1L << 45) {
            assertThat(Histogram.lowerBound(bucket + 1)).isGreaterThan(value);
        }
        assertThat(Histogram.lowerBound(bucket + 1) - Histogram.lowerBound(bucket))
                .isLessThanOrEqualTo(Math.max(1, Histogram.lowerBound(bucket) / 8));
    }

    @Test
    void quantilesAreWithinAnEighth() {
        Random random = new Random(41);
        for (int i = 0; i < 100_000; i++) {
            histogram.record(random.nextInt(1_000_000));
        }

        double[] values = histogram.quantiles(new double[] {0.5, 0.99}, 0);

        assertThat(values[0]).isCloseTo(500_000, Percentage.withPercentage(12.5));
        assertThat(values[1]).isCloseTo(990_000, Percentage.withPercentage(12.5));
        assertThat(histogram.count()).isEqualTo(100_000);
    }

    @Test
    void whatIsTwoWindowsOldNoLongerCountsForQuantiles() {
        double[] median = {0.5};
        histogram.record(1_000_000);
        histogram.quantiles(median, Histogram.WINDOW_NANOS);
        histogram.quantiles(median, 2 * Histogram.WINDOW_NANOS);
        histogram.record(10);

        assertThat(histogram.quantiles(median, 2 * Histogram.WINDOW_NANOS)[0]).isBetween(9.0, 12.0);
        assertThat(histogram.count()).isEqualTo(2);
        assertThat(histogram.sum()).isEqualTo(1_000_010);
    }

    @Test
    void noValuesHaveQuantilesOfZero() {
        assertThat(histogram.quantiles(new double[] {0.5}, 0)).containsExactly(0);
    }
}
