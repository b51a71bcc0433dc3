package io.highwater.broker.view;

import io.highwater.broker.journal.IsrChange;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes one of what several brokers have seen of the same comings and goings. Pure. */
final class IsrChangeMerge {
    private IsrChangeMerge() {}

    static List<IsrChange> merge(Map<Integer, LocalAnswer> answers) {
        Map<Key, IsrChange> merged = new TreeMap<>();
        for (LocalAnswer answer : answers.values()) {
            for (IsrChange change : answer.isrChanges()) {
                merged.merge(
                        new Key(new PartitionName(change.topic(), change.partition()), change.broker()),
                        change,
                        IsrChangeMerge::better);
            }
        }
        return List.copyOf(merged.values());
    }

    private record Key(PartitionName partition, int broker) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byPartition = partition.compareTo(other.partition);
            return byPartition != 0 ? byPartition : Integer.compare(broker, other.broker);
        }
    }

    /** All see the same metadata, but one that has started later has seen less of it; the reason is best known to the leader of that time. */
    private static IsrChange better(IsrChange one, IsrChange other) {
        IsrChange longer = other.timesRemoved() > one.timesRemoved() ? other : one;
        IsrChange told = one.fromItsLeader() ? one : other.fromItsLeader() ? other : longer;
        boolean toldOfTheLast = told.outSinceWallMs() == null || longer.outSinceWallMs() != null;
        return new IsrChange(
                longer.topic(),
                longer.partition(),
                longer.broker(),
                longer.timesRemoved(),
                Math.max(one.totalMsOut(), other.totalMsOut()),
                longer.outSinceWallMs(),
                toldOfTheLast ? told.lastReason() : longer.lastReason(),
                toldOfTheLast && told.fromItsLeader());
    }
}
