package io.highwater.broker.view;

import io.highwater.broker.journal.JournalEntry;
import java.util.List;

/**
 * One event of one broker.
 *
 * @param number its place among all events of that broker's process, from 0
 * @param wallMs when, in milliseconds since 1970, by that broker's clock
 * @param broker whose journal it is from
 * @param kind what it is, a {@link JournalEntry.Kind}
 * @param topic the partition's topic
 * @param partition the partition
 * @param leaderEpoch the reign it happened in, -1 if it has none
 * @param text cause and numbers
 * @param removed brokers that leave the in-sync replicas, or are to leave them
 * @param added brokers that come into them, or are to come
 */
public record EventReport(
        long number,
        long wallMs,
        int broker,
        String kind,
        String topic,
        int partition,
        int leaderEpoch,
        String text,
        List<Integer> removed,
        List<Integer> added) {
    static EventReport of(int broker, JournalEntry entry) {
        return new EventReport(
                entry.number(),
                entry.wallMs(),
                broker,
                entry.kind().name(),
                entry.partition().topic(),
                entry.partition().partition(),
                entry.leaderEpoch(),
                entry.text(),
                entry.removed(),
                entry.added());
    }
}
