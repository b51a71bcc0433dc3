package io.highwater.broker.boot;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** What a start has done so far, each step with its way back. For one thread at a time. */
final class Steps {
    private static final Logger LOG = LoggerFactory.getLogger(Steps.class);

    private final Deque<Step> done = new ArrayDeque<>();
    private final long startNanos = System.nanoTime();

    /** How one step is undone. */
    @FunctionalInterface
    interface Undo {
        void run() throws Exception;
    }

    /** @param abandon what is left of it when nobody is to notice that it ends */
    private record Step(String name, Undo undo, Undo abandon) {}

    /** Remembers a step that succeeded. */
    void done(String name, Undo undo) {
        done(name, undo, undo);
    }

    /**
     * As {@link #done(String, Undo)}.
     *
     * @param abandon how it is undone when the process is to look as if it had died
     */
    void done(String name, Undo undo, Undo abandon) {
        done.push(new Step(name, undo, abandon));
        LOG.debug("started {}, {} ms from the begin", name, millisSince(startNanos));
    }

    /** Undoes all steps, the last one first; one that fails is logged and the next one taken. Blocks; may be repeated. */
    void undo() {
        undo(Level.INFO, Step::undo);
    }

    /** As {@link #undo()}, for a start that was refused: its one sentence should stand alone. */
    void undoQuietly() {
        undo(Level.DEBUG, Step::undo);
    }

    /** As {@link #undo()}, the way that leaves behind what a death leaves behind. */
    void abandon() {
        undo(Level.DEBUG, Step::abandon);
    }

    private synchronized void undo(Level level, Function<Step, Undo> way) {
        while (!done.isEmpty()) {
            Step step = done.pop();
            long startNanos = System.nanoTime();
            try {
                way.apply(step).run();
                LOG.atLevel(level).log("stopped {} ({} ms)", step.name, millisSince(startNanos));
            } catch (Exception e) {
                LOG.warn("could not stop {} in order ({} ms)", step.name, millisSince(startNanos), e);
            }
        }
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }
}
