package io.highwater.itests.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.DoubleAccumulator;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing is kept for a follower that does not come for it, and the other one does not notice. Broker 1 leads. */
@Tag("measure")
class SlowFollowerIT {
    private static final String TOPIC = "orders";
    private static final int MEBIBYTE = 1 << 20;
    private static final int WARM_UP_SECONDS = 10;

    @Test
    void aFollowerThatIsHeldBackCostsItsLeaderNoMemory(@TempDir Path directory) throws Exception {
        try (Bench bench = new Bench(directory, "")) {
            bench.createTopic(TOPIC, 1, Map.of("follower.replication.throttled.replicas", "0:3"), 1, 2, 3);
            bench.set(
                    ConfigResource.Type.BROKER,
                    "3",
                    Map.of("follower.replication.throttled.rate", Integer.toString(MEBIBYTE)));
            int seconds = 30;
            // Who is in sync is not held back.
            bench.node(3).pause();

            Growth growth = grow(bench, seconds, 20 * MEBIBYTE, bench.node(3)::resume);

            double lacking = bench.scrape(1).value(lagRecords(3));
            System.out.printf(
                    "a follower held to 1 MiB/s at 20 MiB/s for %d s: the leader's live memory %.1f -> %.1f MiB, the other follower late by"
                            + " %.3f s at most, the slow one lacks %.0f MiB%n",
                    seconds,
                    growth.before(),
                    growth.after(),
                    growth.lateSeconds(),
                    lacking * Writer.RECORD_BYTES / MEBIBYTE);
            assertThat(lacking * Writer.RECORD_BYTES).as("bytes it lacks").isGreaterThan(5.0 * seconds * MEBIBYTE);
            assertThat(growth.after() - growth.before()).as("MiB").isLessThan(16);
            assertThat(growth.lateSeconds()).as("seconds").isLessThan(5);
        }
    }

    @Test
    void aFollowerThatStandsStillCostsItsLeaderNoMemory(@TempDir Path directory) throws Exception {
        try (Bench bench = new Bench(directory, "")) {
            bench.createTopic(TOPIC, 1, Map.of(), 1, 2, 3);
            int seconds = 60;
            bench.node(3).pause();

            Growth growth = grow(bench, seconds, 10 * MEBIBYTE, () -> {});

            bench.node(3).resume();
            System.out.printf(
                    "a follower stands still for %d s at 10 MiB/s: the leader's live memory %.1f -> %.1f MiB, the other follower late by %.3f s at"
                            + " most%n",
                    seconds, growth.before(), growth.after(), growth.lateSeconds());
            assertThat(growth.after() - growth.before()).as("MiB").isLessThan(16);
            bench.awaitIsr(TOPIC, 3);
        }
    }

    /**
     * What happened under load.
     *
     * @param before live memory of the leader in MiB, after a while of load
     * @param after the same, in the end
     * @param lateSeconds how long broker 2 was not caught up at most, looked at every second
     */
    private record Growth(double before, double after, double lateSeconds) {}

    private static Growth grow(Bench bench, int seconds, int bytesPerSecond, Runnable afterWarmUp) {
        DoubleAccumulator late = new DoubleAccumulator(Math::max, 0);
        try (Writer writer = new Writer(bench.servers(), TOPIC, 1, "1")) {
            writer.writeFor(WARM_UP_SECONDS, bytesPerSecond, () -> {});
            afterWarmUp.run();
            double before = bench.liveMiB(1);
            writer.writeFor(
                    seconds,
                    bytesPerSecond,
                    () -> late.accumulate(bench.scrape(1)
                            .value("highwater_follower_lag_seconds{topic=\"" + TOPIC
                                    + "\",partition=\"0\",follower=\"2\"}")));
            return new Growth(before, bench.liveMiB(1), late.get());
        }
    }

    private static String lagRecords(int follower) {
        return "highwater_follower_lag_records{topic=\"" + TOPIC + "\",partition=\"0\",follower=\"" + follower + "\"}";
    }
}
