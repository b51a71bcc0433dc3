package io.highwater.replication.simulation;

import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in one thread with simulated time: first faults, then calm. One seed replays it. Safety is judged after every event,
 * liveness at the end.
 */
final class Simulation {
    /** Producers whose names begin like this are idempotent. */
    static final String IDEMPOTENT = "i";

    private static final long CHAOS_MS = 60_000;
    private static final long CALM_MS = 40_000;

    private final long seed;
    private final Cluster cluster;
    private final Nemesis nemesis;

    Simulation(long seed, Rules rules, boolean transcribed) {
        this.seed = seed;
        this.cluster = new Cluster(settings(new Random(seed)), rules, seed, new Transcript(transcribed, true));
        cluster.producers.add(new Producer(101, IDEMPOTENT, -1, true, cluster));
        cluster.producers.add(new Producer(102, IDEMPOTENT + "i", -1, true, cluster));
        cluster.producers.add(new Producer(103, "a", -1, false, cluster));
        cluster.producers.add(new Producer(104, "b", 1, false, cluster));
        cluster.producers.add(new Producer(105, "c", 0, false, cluster));
        cluster.consumers.add(new Consumer(201, "reader", cluster));
        this.nemesis = new Nemesis(cluster);
    }

    private static Settings settings(Random random) {
        int brokers = random.nextInt(10) < 7 ? 3 : 2 + random.nextInt(4);
        int minInSync = random.nextInt(10) < 6 ? Math.min(2, brokers) : 1 + random.nextInt(brokers);
        return Settings.chaos(brokers, minInSync, random.nextInt(8) == 0, random.nextBoolean() ? 200 : -1);
    }

    /** Runs to the end. */
    void run() {
        cluster.say("%s", cluster.settings);
        cluster.controller.start();
        cluster.brokers.forEach(Broker::start);
        cluster.producers.forEach(Producer::start);
        cluster.consumers.forEach(Consumer::start);
        nemesis.start();
        runUntil(CHAOS_MS);
        nemesis.calm();
        runUntil(CHAOS_MS + CALM_MS / 10);
        cluster.producers.forEach(Producer::retire);
        String unrest = "it has not been tried";
        while (unrest != null && cluster.timeline.nowMs() < CHAOS_MS + CALM_MS) {
            runUntil(cluster.timeline.nowMs() + 500);
            unrest = unrest();
        }
        if (unrest != null) {
            throw failure("after the faults the cluster comes to rest", unrest);
        }
    }

    private void runUntil(long endMs) {
        while (cluster.timeline.step(endMs)) {
            judge();
        }
    }

    private void judge() {
        cluster.history.observe();
        for (Invariant invariant : Invariants.ALL) {
            String counterexample = invariant.counterexample(cluster);
            if (counterexample != null) {
                throw failure(invariant.toString(), counterexample);
            }
        }
        cluster.history.endEvent();
    }

    /** What is not as it should be after a long calm, null if everything is. */
    private @Nullable String unrest() {
        PartitionState state = cluster.controller.image().partition();
        if (state.leader() == -1 || state.inSync().size() < cluster.settings.brokers()) {
            return "decided is " + state;
        }
        Broker leader = cluster.broker(state.leader());
        for (Broker broker : cluster.brokers) {
            if (broker.log().logEndOffset() != leader.log().logEndOffset()
                    || broker.highWatermark() != leader.log().logEndOffset()) {
                return broker.id + " has high watermark " + broker.highWatermark() + " and " + broker.log()
                        + ", the leader " + leader.log();
            }
        }
        for (Producer producer : cluster.producers) {
            if (producer.isWaiting()) {
                return producer.title() + " still waits";
            }
        }
        return cluster.history.committed.isEmpty() ? "nothing was ever committed" : null;
    }

    private AssertionError failure(String sentence, String counterexample) {
        return new AssertionError("seed " + seed + ", " + cluster.timeline.nowMs() + " ms: it is not true that "
                + sentence + ": " + counterexample + "\nreplay with -Dseed=" + seed);
    }

    String transcript() {
        return cluster.transcript.toString();
    }

    Cluster cluster() {
        return cluster;
    }
}
