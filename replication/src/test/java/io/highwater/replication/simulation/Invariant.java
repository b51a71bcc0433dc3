package io.highwater.replication.simulation;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A sentence that is true after every event. */
final class Invariant {
    private final String sentence;
    private final Function<Cluster, @Nullable String> counterexample;

    Invariant(String sentence, Function<Cluster, @Nullable String> counterexample) {
        this.sentence = sentence;
        this.counterexample = counterexample;
    }

    /** What shows that it does not hold, null if it does. */
    @Nullable
    String counterexample(Cluster cluster) {
        return counterexample.apply(cluster);
    }

    @Override
    public String toString() {
        return sentence;
    }
}
