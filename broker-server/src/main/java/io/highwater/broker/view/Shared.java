package io.highwater.broker.view;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An answer that is dear to get, and a moment old for whoever asks soon after another: all who ask at once share one. Any thread. */
final class Shared<T> {
    /** An answer is shared for so long. */
    private static final long FRESH_NANOS = 500_000_000;

    private @Nullable Asked<T> last;

    private static final class Asked<T> {
        final CompletionStage<T> answer;
        private volatile boolean done;
        private volatile long doneAtNanos;

        Asked(CompletionStage<T> answer) {
            this.answer = answer.whenComplete((value, failure) -> {
                doneAtNanos = System.nanoTime();
                done = true;
            });
        }

        boolean isFresh() {
            return !done || System.nanoTime() - doneAtNanos < FRESH_NANOS;
        }
    }

    synchronized CompletionStage<T> get(Supplier<CompletionStage<T>> asking) {
        Asked<T> known = last;
        if (known == null || !known.isFresh()) {
            known = new Asked<>(asking.get());
            last = known;
        }
        return known.answer;
    }
}
