package io.highwater.storage.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a log should hold: batches in memory, as plain as can be. */
final class LogModel {
    record Batch(long baseOffset, int epoch, long timestampMs, List<String> values) {
        long lastOffset() {
            return baseOffset + values.size() - 1;
        }
    }

    private final TreeMap<Long, Batch> batches = new TreeMap<>();
    long logStartOffset;
    long logEndOffset;

    void add(Batch batch) {
        batches.put(batch.baseOffset(), batch);
        logEndOffset = batch.lastOffset() + 1;
    }

    void truncateTo(long offset) {
        if (offset >= logEndOffset) {
            return;
        }
        Map.Entry<Long, Batch> cut = batches.floorEntry(offset);
        boolean inside = cut != null && cut.getValue().lastOffset() >= offset;
        batches.tailMap(inside ? cut.getKey() : offset, true).clear();
        logEndOffset = offset;
        logStartOffset = Math.min(logStartOffset, offset);
    }

    /** A log that ended in the middle of a dropped batch does not remember that over a restart. */
    void reopenedWithEnd(long offset) {
        long known = batches.isEmpty()
                ? logStartOffset
                : Math.max(logStartOffset, batches.lastEntry().getValue().lastOffset() + 1);
        if (offset < known || offset > logEndOffset) {
            throw new AssertionError("reopened with end " + offset + ", not in " + known + " to " + logEndOffset);
        }
        logEndOffset = offset;
    }

    void startAt(long offset) {
        batches.clear();
        logStartOffset = offset;
        logEndOffset = offset;
    }

    /** Records of batches that lie below {@code upperBound} as a whole, from {@code fetchOffset} on. */
    List<String> read(long fetchOffset, long upperBound) {
        List<String> found = new ArrayList<>();
        for (Batch batch : batches.values()) {
            if (batch.lastOffset() >= upperBound) {
                break;
            }
            for (int i = 0; i < batch.values().size(); i++) {
                long offset = batch.baseOffset() + i;
                if (offset >= fetchOffset) {
                    found.add(offset + "=" + batch.values().get(i));
                }
            }
        }
        return found;
    }

    /** Offset of the first kept record that is as late as this; -1 if there is none. */
    long offsetForTimestamp(long timestampMs) {
        for (Batch batch : batches.values()) {
            if (batch.timestampMs() >= timestampMs && batch.lastOffset() >= logStartOffset) {
                return Math.max(batch.baseOffset(), logStartOffset);
            }
        }
        return -1;
    }

    /** Last epoch written at or below the end; -1 if nothing was. */
    int latestEpoch() {
        return batches.isEmpty() ? -1 : batches.lastEntry().getValue().epoch();
    }
}
