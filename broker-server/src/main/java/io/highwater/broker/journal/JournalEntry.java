package io.highwater.broker.journal;

import java.util.List;
import org.apache.kafka.common.TopicPartition;

/**
 * One event.
 *
 * @param number its place among all events of this process, from 0
 * @param wallMs when, in milliseconds since 1970
 * @param kind what it is
 * @param partition which one
 * @param leaderEpoch the reign it happened in, -1 if it has none
 * @param text cause and numbers, for people
 * @param removed brokers that leave the in-sync replicas, or are to leave them
 * @param added brokers that come into them, or are to come
 */
public record JournalEntry(
        long number,
        long wallMs,
        Kind kind,
        TopicPartition partition,
        int leaderEpoch,
        String text,
        List<Integer> removed,
        List<Integer> added) {

    /** What can happen to a replica. */
    public enum Kind {
        /** It leads from now on. */
        LEADING,
        /** It follows from now on. */
        FOLLOWING,
        /** As leader it asks to go on without somebody. */
        ISR_SHRINKING,
        /** As leader it asks to take somebody in. */
        ISR_EXPANDING,
        /** The controller has agreed to another set of in-sync replicas. */
        ISR_UPDATED,
        /** The controller has refused one. */
        ISR_REFUSED,
        /** As follower it gave up records that its leader does not have. */
        TRUNCATED,
        /** As follower it dropped its whole log, which its leader's does not touch. */
        RESTARTED,
        /** It was told, or told somebody, that an epoch is over. */
        FENCED,
        /** Its disk does not take records. */
        STORAGE_FAILED,
        /** It is gone from this broker. */
        REMOVED
    }
}
