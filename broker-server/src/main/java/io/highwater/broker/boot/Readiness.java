package io.highwater.broker.boot;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Whether clients can be served now, and if not, why. Any thread. */
final class Readiness {
    private volatile @Nullable String obstacle = "it is starting";
    private volatile BooleanSupplier hindered = () -> false;
    private volatile String hindrance = "";

    /** They cannot, for this reason, until something else is said. */
    void not(String because) {
        obstacle = because;
    }

    /** They can. */
    void yes() {
        obstacle = null;
    }

    /** Even if they can otherwise, they cannot while this holds. */
    void notWhile(BooleanSupplier holds, String because) {
        hindrance = because;
        hindered = holds;
    }

    /** Why they cannot; null if they can. */
    @Nullable
    String notBecause() {
        String present = obstacle;
        return present != null ? present : hindered.getAsBoolean() ? hindrance : null;
    }
}
