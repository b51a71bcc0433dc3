package io.highwater.coordination.group;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * In which leader epoch this broker reigns over each offsets partition, and whether the coordinator's memory of it was built in that reign.
 *
 * <p>The library queues its work per partition and does not tell one reign from the next in two places, which matter when leadership is lost
 * and won again quickly:
 * <ul>
 *   <li>A write decided on the old memory may still be queued before the unload. It must not reach the log of the new reign. So memory may
 *       write only in the reign in which its load began; that the epoch grows while the reign goes on does not end it.
 *   <li>The end of an old load would be taken for the end of the next one, and a memory served that is not filled yet. So the end of a load is
 *       only told while its reign lasts, and a loss is not told before the load of that reign has begun: then each load belongs to the reign
 *       that was told last.
 * </ul>
 *
 * <p>The steps handed in tell the library; they run under this object's lock, so that it hears of elections, losses and ends of loads in one
 * order. They only queue work there. Guarded by itself; any thread.
 */
final class LeaderTerms {
    /** No leader epoch: refused by every partition. */
    static final int NONE = -1;

    private final Map<Integer, Seat> seats = new HashMap<>();
    private final Settling settling = new Settling();

    /** Questions wait there while a load that was told for has not been taken up. */
    Settling settling() {
        return settling;
    }

    synchronized void onElected(int partition, int leaderEpoch, Runnable step) {
        Seat seat = seat(partition);
        seat.inTurn(() -> {
            Term term = seat.term;
            if (term == null) {
                seat.term = new Term(leaderEpoch);
                seat.awaitingLoad = true;
                settling.begin();
                step.run();
            } else if (leaderEpoch > term.epoch) {
                term.epoch = leaderEpoch;
                step.run();
            }
        });
    }

    synchronized void onResigned(int partition, OptionalInt leaderEpoch, Runnable step) {
        Seat seat = seat(partition);
        seat.inTurn(() -> {
            Term term = seat.term;
            boolean late = term == null || (leaderEpoch.isPresent() && leaderEpoch.getAsInt() <= term.epoch);
            if (!late) {
                seat.term = null;
                step.run();
            }
        });
    }

    /** A load starts from the log as it is in the present reign. The answer stands for it in the calls below. */
    synchronized Load onLoadStarted(int partition) {
        Seat seat = seat(partition);
        Load load = new Load(seat.awaitingLoad);
        if (seat.term != null) {
            seat.term.load = load;
        }
        seat.onLoadStarted();
        return load;
    }

    /** The load has ended, or goes on elsewhere. Once for each load. */
    void onLoadTakenUp(Load load) {
        if (load.awaited) {
            settling.end();
        }
    }

    /** Runs the step if the reign in which the load began still lasts. If not, the library has been told to unload and waits for no load. */
    synchronized void onLoadEnded(int partition, Load load, Runnable step) {
        if (seat(partition).isBuiltBy(load)) {
            step.run();
        }
    }

    /** The epoch to read with during that load, or {@link #NONE} when its reign is over. */
    synchronized int epochOf(int partition, Load load) {
        Seat seat = seat(partition);
        return seat.term != null && seat.isBuiltBy(load) ? seat.term.epoch : NONE;
    }

    /** The epoch to write with, or {@link #NONE}. */
    synchronized int writingEpoch(int partition) {
        Term term = seat(partition).term;
        return term != null && term.load != null ? term.epoch : NONE;
    }

    private Seat seat(int partition) {
        return seats.computeIfAbsent(partition, number -> new Seat());
    }

    /** One filling of the coordinator's memory. */
    static final class Load {
        private final boolean awaited;

        /** @param awaited whether it is the first of its reign: only that one is waited for */
        private Load(boolean awaited) {
            this.awaited = awaited;
        }
    }

    /** One reign, without interruption. */
    private static final class Term {
        private int epoch;
        private @Nullable Load load;

        Term(int epoch) {
            this.epoch = epoch;
        }
    }

    /** One partition. */
    private static final class Seat {
        private @Nullable Term term;

        /** The library was told of a new reign and has not asked for its load yet; until then nothing else is told. */
        private boolean awaitingLoad;

        private final Queue<Runnable> untold = new ArrayDeque<>();

        void inTurn(Runnable news) {
            if (awaitingLoad) {
                untold.add(news);
            } else {
                news.run();
            }
        }

        void onLoadStarted() {
            awaitingLoad = false;
            while (!awaitingLoad && !untold.isEmpty()) {
                untold.remove().run();
            }
        }

        boolean isBuiltBy(Load load) {
            return term != null && term.load == load;
        }
    }
}
