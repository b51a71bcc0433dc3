package io.highwater.broker.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
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
    public synchronized void add(JournalEntry.Kind kind, TopicPartition partition, int leaderEpoch, String text) {
        if (entries.size() == CAPACITY) {
            entries.removeFirst();
        }
        entries.addLast(new JournalEntry(nextNumber++, wallClockMs.getAsLong(), kind, partition, leaderEpoch, text));
    }

    /** All events from number {@code first} (inclusive) on that are still there, oldest first. */
    public synchronized List<JournalEntry> since(long first) {
        List<JournalEntry> found = new ArrayList<>();
        for (JournalEntry entry : entries) {
            if (entry.number() >= first) {
                found.add(entry);
            }
        }
        return found;
    }

    /** How many events there have been, which is the number of the next one. */
    public synchronized long count() {
        return nextNumber;
    }
}
