package io.highwater.broker.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/** The newest {@link #CAPACITY} events. Any thread. */
public final class Journal {
    /** Older events make place for newer ones. */
    public static final int CAPACITY = 4_096;

    private final LongSupplier wallClockMs;
    private final Deque<JournalEntry> entries = new ArrayDeque<>();
    private long nextNumber;

    /**
     * Empty.
     *
     * @param wallClockMs milliseconds since 1970
     */
    public Journal(LongSupplier wallClockMs) {
        this.wallClockMs = wallClockMs;
    }

    /** Writes down one event. */
    public void add(JournalEntry.Kind kind, TopicPartition partition, int leaderEpoch, String text) {
        add(kind, partition, leaderEpoch, text, List.of(), List.of());
    }

    /** Writes down one event of the in-sync replicas: who leaves, and who comes. */
    public synchronized void add(
            JournalEntry.Kind kind,
            TopicPartition partition,
            int leaderEpoch,
            String text,
            List<Integer> removed,
            List<Integer> added) {
        if (entries.size() == CAPACITY) {
            entries.removeFirst();
        }
        entries.addLast(new JournalEntry(
                nextNumber++, wallClockMs.getAsLong(), kind, partition, leaderEpoch, text, removed, added));
    }

    /** The oldest from number {@code first} (inclusive) on that count, at most {@code most} (1 or more) of them, oldest first. */
    public synchronized List<JournalEntry> since(long first, int most, Predicate<JournalEntry> accepted) {
        List<JournalEntry> found = new ArrayList<>();
        for (JournalEntry entry : entries) {
            if (entry.number() >= first && accepted.test(entry)) {
                found.add(entry);
                if (found.size() == most) {
                    return found;
                }
            }
        }
        return found;
    }

    /** The newest of those that count, at most {@code most} of them, oldest first. */
    public synchronized List<JournalEntry> newest(int most, Predicate<JournalEntry> accepted) {
        Deque<JournalEntry> found = new ArrayDeque<>();
        for (Iterator<JournalEntry> back = entries.descendingIterator(); back.hasNext() && found.size() < most; ) {
            JournalEntry entry = back.next();
            if (accepted.test(entry)) {
                found.addFirst(entry);
            }
        }
        return List.copyOf(found);
    }

    /** How many events there have been, which is the number of the next one. */
    public synchronized long count() {
        return nextNumber;
    }
}
