package io.highwater.replication.simulation;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SimulationTest {
    private static final int SEEDS = 1_000;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noCommittedRecordIsLostAndTheClusterHeals(long seed) {
        boolean replayed = Long.getLong("seed") != null;
        Simulation simulation = new Simulation(seed, Rules.KAFKA, replayed);

        try {
            assertThatCode(simulation::run).doesNotThrowAnyException();
        } finally {
            if (replayed) {
                System.out.println(simulation.transcript());
            }
        }
    }

    /** All of them, or the one that is named by {@code -Dseed=N}. */
    static LongStream seeds() {
        Long one = Long.getLong("seed");
        return one == null ? LongStream.range(0, SEEDS) : LongStream.of(one);
    }
}
