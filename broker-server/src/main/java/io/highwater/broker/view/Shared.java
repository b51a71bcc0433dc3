package io.highwater.broker.view;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An answer that is dear to get, and a moment old for whoever asks soon after another: all who ask at once share one. Any thread. */
final class Shared<T> {
    /** An answer is shared for so long. */
    private static final long FRESH_NANOS = 500_000_000;

    private @Nullable CompletionStage<T> last;
    private volatile boolean done;
    private volatile long doneAtNanos;

    synchronized CompletionStage<T> get(Supplier<CompletionStage<T>> asking) {
        CompletionStage<T> known = last;
        if (known != null && (!done || System.nanoTime() - doneAtNanos < FRESH_NANOS)) {
            return known;
        }
        done = false;
        CompletionStage<T> asked = asking.get().whenComplete((answer, failure) -> {
            doneAtNanos = System.nanoTime();
            done = true;
        });
        last = asked;
        return asked;
    }
}
