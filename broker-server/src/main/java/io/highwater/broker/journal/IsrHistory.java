package io.highwater.broker.journal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Who was removed from the in-sync replicas of which partition, how often, for how long, and why: of all partitions of the cluster, as the
 * metadata has told it since this process started. Any thread.
 */
public final class IsrHistory {
    /** Of more, those are forgotten that were first removed longest ago. */
    public static final int CAPACITY = 10_000;

    private final LongSupplier wallClockMs;
    private final Map<Member, Spell> spells = new LinkedHashMap<>();

    /**
     * Empty.
     *
     * @param wallClockMs milliseconds since 1970
     */
    public IsrHistory(LongSupplier wallClockMs) {
        this.wallClockMs = wallClockMs;
    }

    private record Member(TopicPartition partition, int broker) {}

    private static final class Spell {
        int timesRemoved;
        long totalMsOut;

        /** -1 while it is in. */
        long outSinceMs = -1;

        @Nullable
        String lastReason;

        boolean fromItsLeader;

        /** Why this broker, as the leader, has asked for it; until it happens. */
        @Nullable
        String asked;
    }

    /** This broker, as leader, asks to go on without {@code broker}. */
    public synchronized void onAsked(TopicPartition partition, int broker, String reason) {
        spell(partition, broker).asked = reason;
    }

    /** The controller has said no to that. */
    public synchronized void onRefused(TopicPartition partition, int broker) {
        Spell spell = spells.get(new Member(partition, broker));
        if (spell != null) {
            spell.asked = null;
        }
    }

    /**
     * It is out.
     *
     * @param reason as the metadata shows it; what the leader has said stands before it
     */
    public synchronized void onRemoved(TopicPartition partition, int broker, String reason) {
        Spell spell = spell(partition, broker);
        if (spell.outSinceMs >= 0) {
            return;
        }
        String asked = spell.asked;
        spell.asked = null;
        spell.fromItsLeader = asked != null;
        spell.lastReason = asked == null ? reason : asked;
        spell.timesRemoved++;
        spell.outSinceMs = wallClockMs.getAsLong();
    }

    /** It is back. */
    public synchronized void onAdded(TopicPartition partition, int broker) {
        Spell spell = spells.get(new Member(partition, broker));
        if (spell != null && spell.outSinceMs >= 0) {
            spell.totalMsOut += Math.max(0, wallClockMs.getAsLong() - spell.outSinceMs);
            spell.outSinceMs = -1;
        }
    }

    /** The topic is gone. */
    public synchronized void forget(String topic) {
        spells.keySet().removeIf(member -> member.partition.topic().equals(topic));
    }

    /** Those that have been removed at least once and count, at most {@link #CAPACITY}. */
    public synchronized List<IsrChange> changes(Predicate<IsrChange> accepted) {
        List<IsrChange> changes = new ArrayList<>();
        spells.forEach((member, spell) -> {
            if (spell.timesRemoved > 0) {
                IsrChange change = change(member, spell);
                if (accepted.test(change)) {
                    changes.add(change);
                }
            }
        });
        return changes;
    }

    /** What is known of one; null if it has not been removed. */
    public synchronized @Nullable IsrChange change(TopicPartition partition, int broker) {
        Member member = new Member(partition, broker);
        Spell spell = spells.get(member);
        return spell == null || spell.timesRemoved == 0 ? null : change(member, spell);
    }

    private IsrChange change(Member member, Spell spell) {
        long outMs = spell.outSinceMs < 0 ? 0 : Math.max(0, wallClockMs.getAsLong() - spell.outSinceMs);
        return new IsrChange(
                member.partition.topic(),
                member.partition.partition(),
                member.broker,
                spell.timesRemoved,
                spell.totalMsOut + outMs,
                spell.outSinceMs < 0 ? null : spell.outSinceMs,
                spell.lastReason,
                spell.fromItsLeader);
    }

    private Spell spell(TopicPartition partition, int broker) {
        Spell spell = spells.computeIfAbsent(new Member(partition, broker), key -> new Spell());
        if (spells.size() > CAPACITY) {
            var oldest = spells.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        return spell;
    }
}
