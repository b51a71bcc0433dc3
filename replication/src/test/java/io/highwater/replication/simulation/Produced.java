package io.highwater.replication.simulation;

import io.highwater.replication.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link Produce}.
 *
 * @param refusal null if it was taken
 * @param outOfOrder whether the number of its first record was not the next one
 * @param baseOffset where its first record lies
 */
record Produced(@Nullable Refusal refusal, boolean outOfOrder, long baseOffset) {
    static Produced at(long baseOffset) {
        return new Produced(null, false, baseOffset);
    }

    static Produced refused(Refusal refusal) {
        return new Produced(refusal, false, -1);
    }

    static Produced asOutOfOrder() {
        return new Produced(null, true, -1);
    }

    boolean isGood() {
        return refusal == null && !outOfOrder;
    }
}
