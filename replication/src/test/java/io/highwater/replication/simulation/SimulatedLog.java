package io.highwater.replication.simulation;

import io.highwater.replication.EpochEnd;
import io.highwater.replication.ReplicaLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** One replica's log on a simulated disk: what is not flushed may be gone after a power failure. */
final class SimulatedLog implements ReplicaLog {
    private final ArrayList<Entry> entries = new ArrayList<>();

    /** Leader epoch to the offset it began at. Both rise strictly. */
    private final TreeMap<Integer, Long> epochs = new TreeMap<>();

    private long logStartOffset;

    /** All below it survives a power failure. */
    private long flushedTo;

    /** How much of it has been compared and found equal to what is committed; goes back when that is no longer sure. */
    private long comparedTo;

    @Override
    public long logStartOffset() {
        return logStartOffset;
    }

    @Override
    public long logEndOffset() {
        return logStartOffset + entries.size();
    }

    @Override
    public int latestEpoch() {
        return epochs.isEmpty() ? -1 : epochs.lastKey();
    }

    @Override
    public EpochEnd endOffsetFor(int epoch) {
        if (epoch == -1 || epochs.isEmpty() || epoch > epochs.lastKey()) {
            return EpochEnd.UNDEFINED;
        }
        Map.Entry<Integer, Long> next = epochs.higherEntry(epoch);
        if (next == null) {
            return new EpochEnd(epoch, logEndOffset());
        }
        Integer known = epochs.floorKey(epoch);
        return new EpochEnd(known == null ? epoch : known, next.getValue());
    }

    Entry get(long offset) {
        return entries.get((int) (offset - logStartOffset));
    }

    boolean has(long offset) {
        return offset >= logStartOffset && offset < logEndOffset();
    }

    List<Entry> read(long offset, long endOffset, int maxEntries) {
        int from = (int) Math.max(0, offset - logStartOffset);
        int to = (int) Math.min(endOffset - logStartOffset, from + (long) maxEntries);
        return from >= to ? List.of() : List.copyOf(entries.subList(from, to));
    }

    /** Where it begins to differ from {@code committed}. What is deleted counts as equal. */
    long sameAs(List<Entry> committed) {
        comparedTo = Math.max(comparedTo, logStartOffset);
        while (comparedTo < committed.size() && has(comparedTo) && isSame(committed.get((int) comparedTo))) {
            comparedTo++;
        }
        return comparedTo;
    }

    private boolean isSame(Entry expected) {
        return expected.equals(Entry.DELETED) || expected.equals(get(comparedTo));
    }

    /** From that offset on, another comparison is due. */
    void distrust(long offset) {
        comparedTo = Math.min(comparedTo, offset);
    }

    void startEpoch(int epoch) {
        startEpoch(epoch, logEndOffset());
    }

    void append(Entry entry) {
        startEpoch(entry.leaderEpoch(), logEndOffset());
        entries.add(entry);
    }

    void truncateTo(long offset) {
        if (offset < logStartOffset) {
            restartAt(offset);
            return;
        }
        entries.subList((int) (offset - logStartOffset), entries.size()).clear();
        epochs.values().removeIf(start -> start >= offset);
        flushedTo = Math.min(flushedTo, offset);
        distrust(offset);
    }

    void restartAt(long offset) {
        entries.clear();
        epochs.clear();
        logStartOffset = offset;
        flushedTo = offset;
        comparedTo = 0;
    }

    void raiseStart(long offset) {
        entries.subList(0, (int) (offset - logStartOffset)).clear();
        logStartOffset = offset;
        flushedTo = Math.max(flushedTo, offset);
        Integer covering = null;
        while (!epochs.isEmpty() && epochs.firstEntry().getValue() <= offset) {
            covering = epochs.pollFirstEntry().getKey();
        }
        if (covering != null) {
            epochs.put(covering, offset);
        }
    }

    void flush() {
        flushedTo = logEndOffset();
    }

    /** The power fails: anything between all and nothing of the unflushed tail is gone. */
    void loseUnflushed(Random random) {
        long unflushed = logEndOffset() - flushedTo;
        truncateTo(flushedTo + random.nextInt((int) unflushed + 1));
    }

    void loseAllUnflushed() {
        truncateTo(flushedTo);
    }

    private void startEpoch(int epoch, long offset) {
        Map.Entry<Integer, Long> latest = epochs.lastEntry();
        if (latest != null && latest.getKey() == epoch && latest.getValue() <= offset) {
            return;
        }
        epochs.tailMap(epoch, true).clear();
        epochs.values().removeIf(start -> start >= offset);
        epochs.put(epoch, offset);
    }

    /** The records from one offset up to another, as text for people; made when it is read. */
    Object describe(long offset, long endOffset) {
        return new Stretch(this, offset, endOffset);
    }

    private record Stretch(SimulatedLog log, long offset, long endOffset) {
        @Override
        public String toString() {
            List<Entry> records = log.read(offset, endOffset, Integer.MAX_VALUE);
            if (records.isEmpty()) {
                return "nothing";
            }
            return records.size() <= 4
                    ? records + " at " + offset
                    : "[" + records.get(0) + " ... " + records.get(records.size() - 1) + "] at " + offset + ".."
                            + (offset + records.size() - 1);
        }
    }

    @Override
    public String toString() {
        return "[" + logStartOffset + ", " + logEndOffset() + ") " + entries;
    }
}
