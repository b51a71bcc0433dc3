package io.highwater.replication.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long acks=all waits after the process of a follower was killed, with Kafka's times: session 9 s, lag limit 30 s. */
class StallTest {
    private static final long KILLED_AT_MS = 5_000;
    private static final int SEEDS = 20;

    @ParameterizedTest
    @ValueSource(longs = {0, 500})
    void aDeadFollowerHoldsWritesUpForItsGraceOnly(long graceMs) {
        for (long seed = 0; seed < SEEDS; seed++) {
            assertThat(longestStallMs(seed, graceMs)).as("seed %d", seed).isLessThan(graceMs + 100);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = -1)
    void withoutTheGraceItHoldsThemUpUntilItIsFenced(long off) {
        assertThat(longestStallMs(0, off)).isBetween(6_000L, 12_000L);
    }

    private static long longestStallMs(long seed, long graceMs) {
        Settings settings = new Settings(3, 2, false, graceMs, 2_000, 9_000, 30_000, 500, 30_000, 3, 100, true);
        Cluster cluster = new Cluster(settings, Rules.KAFKA, seed, new Transcript(false, false));
        Producer producer = new Producer(101, Simulation.IDEMPOTENT, -1, true, cluster);
        cluster.producers.add(producer);
        cluster.controller.start();
        cluster.brokers.forEach(Broker::start);
        producer.start();
        cluster.timeline.after(KILLED_AT_MS, () -> {
            int leader = cluster.controller.image().partition().leader();
            cluster.broker(leader == 3 ? 2 : 3).die();
        });

        long longestMs = 0;
        long sinceMs = -1;
        while (cluster.timeline.step(KILLED_AT_MS + 15_000)) {
            long nowMs = cluster.timeline.nowMs();
            boolean waiting = nowMs >= KILLED_AT_MS && producer.isWaiting();
            sinceMs = !waiting ? -1 : sinceMs == -1 ? nowMs : sinceMs;
            longestMs = waiting ? Math.max(longestMs, nowMs - sinceMs) : longestMs;
        }
        return longestMs;
    }
}
