package io.highwater.coordination.group;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * In which leader epoch this broker reigns over each offsets partition, and whether the coordinator's memory of it was built in that reign.
 *
 * <p>The library queues its work per partition: when leadership is lost and won again quickly, a write decided on the old memory may still be
 * in the queue before the unload. It must not reach the log of the new reign. Hence two numbers: the epoch of the last election, and the epoch
 * with which the present memory may write. A reign that only continues under a new epoch lifts both; one that follows a loss starts without
 * memory, until a load begins.
 *
 * <p>The steps handed in run under this object's lock, so that the library hears of elections, losses and ends of loads in one order. They only
 * queue work there. Guarded by itself; any thread.
 */
final class LeaderTerms {
    /** No leader epoch: refused by every partition. */
    static final int NONE = -1;

    private final Map<Integer, Term> terms = new HashMap<>();

    synchronized void onElected(int partition, int leaderEpoch, Runnable step) {
        Term term = terms.get(partition);
        if (term == null) {
            terms.put(partition, new Term(leaderEpoch));
        } else if (leaderEpoch > term.electedEpoch) {
            term.electedEpoch = leaderEpoch;
        }
        step.run();
    }

    synchronized void onResigned(int partition, OptionalInt leaderEpoch, Runnable step) {
        Term term = terms.get(partition);
        boolean stale = term != null && leaderEpoch.isPresent() && leaderEpoch.getAsInt() <= term.electedEpoch;
        if (!stale) {
            terms.remove(partition);
        }
        step.run();
    }

    /** A load starts from the log as it is in the present reign. The answer stands for this reign in the calls below. */
    synchronized Term onLoadStarted(int partition) {
        Term term = terms.get(partition);
        if (term == null) {
            return new Term(NONE);
        }
        term.loaded = true;
        return term;
    }

    /**
     * Runs the step if the reign in which the load began still lasts. If not, an unload is queued or done already and the library must not hear
     * of the old load's end: it would take it for the end of the next.
     */
    synchronized void onLoadEnded(int partition, Term term, Runnable step) {
        if (terms.get(partition) == term) {
            step.run();
        }
    }

    /** The epoch to read with during that load, or {@link #NONE} when its reign is over. */
    synchronized int epochOf(int partition, Term term) {
        return terms.get(partition) == term ? term.electedEpoch : NONE;
    }

    /** The epoch to write with, or {@link #NONE}. */
    synchronized int writingEpoch(int partition) {
        Term term = terms.get(partition);
        return term != null && term.loaded ? term.electedEpoch : NONE;
    }

    /** One reign, without interruption. Guarded by the terms it belongs to. */
    static final class Term {
        private int electedEpoch;
        private boolean loaded;

        private Term(int electedEpoch) {
            this.electedEpoch = electedEpoch;
        }
    }
}
