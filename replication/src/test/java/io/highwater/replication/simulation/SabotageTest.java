package io.highwater.replication.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** A simulation that finds nothing proves nothing: each rule that is broken on purpose has to be noticed. */
class SabotageTest {
    private static final int SEEDS = 100;

    @ParameterizedTest(name = "{0}")
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"FORGETS_A_PROPOSAL_OVER_OLD_NEWS", "COUNTS_UNKNOWN_LIVES"})
    void isCaughtWithinAHundredSeeds(Sabotage sabotage) {
        assertThat(LongStream.range(0, SEEDS).anyMatch(seed -> isCaught(sabotage, seed)))
                .as("some seed below %d goes red", SEEDS)
                .isTrue();
    }

    private static boolean isCaught(Sabotage sabotage, long seed) {
        try {
            new Simulation(seed, sabotage.rules(), false).run();
            return false;
        } catch (AssertionError | IllegalStateException caught) {
            return true;
        }
    }
}
