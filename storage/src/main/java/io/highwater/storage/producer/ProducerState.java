package io.highwater.storage.producer;

import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one producer in one partition. Owned by {@link ProducerStates}.
 *
 * <p>Invariant: all remembered batches are of {@link #epoch}; a new epoch forgets them.
 */
final class ProducerState {
    /** As many batches as a producer may have in flight. */
    static final int BATCHES_REMEMBERED = 5;

    static final int NONE = -1;

    final long producerId;
    short epoch = NONE;
    int coordinatorEpoch = NONE;
    long lastTimestampMs = NONE;

    /** First offset of the open transaction, or {@link #NONE}. */
    long transactionFirstOffset = NONE;

    /** A ring; {@link #newest} is the place of the last batch. */
    private final @Nullable AppendedBatch[] batches = new AppendedBatch[BATCHES_REMEMBERED];

    private int newest;

    ProducerState(long producerId) {
        this.producerId = producerId;
    }

    boolean hasOpenTransaction() {
        return transactionFirstOffset != NONE;
    }

    /** The last batch of the current epoch, or null. */
    @Nullable
    AppendedBatch last() {
        return batches[newest];
    }

    int lastSequence() {
        AppendedBatch last = last();
        return last == null ? NONE : last.lastSequence();
    }

    /** The remembered batch with the same epoch and the same first and last sequence, or null. */
    @Nullable
    AppendedBatch find(short ofEpoch, int firstSequence, int lastSequence) {
        if (ofEpoch == epoch) {
            for (AppendedBatch batch : batches) {
                if (batch != null && batch.lastSequence() == lastSequence && batch.firstSequence() == firstSequence) {
                    return batch;
                }
            }
        }
        return null;
    }

    void add(short ofEpoch, AppendedBatch batch) {
        enter(ofEpoch);
        newest = (newest + 1) % BATCHES_REMEMBERED;
        batches[newest] = batch;
        lastTimestampMs = batch.timestampMs();
    }

    /** Whether it may have had more batches in flight than are remembered. */
    boolean remembersTooLittle() {
        AppendedBatch last = last();
        return last != null && batches[(newest + 1) % BATCHES_REMEMBERED] == null && last.firstSequence() != 0;
    }

    /**
     * Remembers more than the last batch.
     *
     * @param upToLast the newest of this epoch in the log's order, at most {@link #BATCHES_REMEMBERED}; ignored if the last of them
     *     is not the one that is known
     */
    void recall(Deque<AppendedBatch> upToLast) {
        AppendedBatch last = last();
        if (last == null || !last.isSameAs(upToLast.peekLast())) {
            return;
        }
        upToLast.forEach(batch -> {
            newest = (newest + 1) % BATCHES_REMEMBERED;
            batches[newest] = batch;
        });
    }

    void endTransaction(short ofEpoch, int byCoordinatorEpoch, long timestampMs) {
        enter(ofEpoch);
        coordinatorEpoch = byCoordinatorEpoch;
        lastTimestampMs = timestampMs;
        transactionFirstOffset = NONE;
    }

    private void enter(short newEpoch) {
        if (newEpoch != epoch) {
            Arrays.fill(batches, null);
            epoch = newEpoch;
        }
    }
}
