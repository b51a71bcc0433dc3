package io.highwater.broker.view;

import io.highwater.broker.partition.LeaderReport;
import io.highwater.broker.partition.ReplicaReport;
import io.highwater.replication.FollowerView;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** Reads what {@link ReplicaWriter} has written. Everything throws IllegalArgumentException where that is not what there is. One thread. */
final class ReplicaReader {
    private final String text;
    private final Fingerprint fingerprint = new Fingerprint();
    private int at;

    ReplicaReader(String text) {
        this.text = text;
    }

    boolean hasNext() {
        return at < text.length();
    }

    /** Which of those asked for comes next. */
    int position() {
        return intNumber();
    }

    /** The one whose {@link #position} was read. */
    LocalReplica replica() {
        fingerprint.begin();
        int error = intNumber();
        if (error != Errors.NONE.code()) {
            String name = Errors.forCode((short) error).name();
            return new LocalReplica(fingerprint.value(), null, name);
        }
        ReplicaReport report = new ReplicaReport(
                number() == 1, intNumber(), intNumber(), number(), number(), number(), number(), leader());
        return new LocalReplica(fingerprint.value(), report, null);
    }

    private @Nullable LeaderReport leader() {
        int count = count();
        if (count < 0) {
            return null;
        }
        List<FollowerView> followers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            followers.add(new FollowerView(intNumber(), number(), number(), age(Ages.LAG_MS), age(Ages.SILENT_MS)));
        }
        int partitionEpoch = intNumber();
        int minInSync = intNumber();
        List<Integer> inSync = list();
        LeaderReport.Pending pending = number() < 0 ? null : new LeaderReport.Pending(list(), age(Ages.NO_NEWS));
        return new LeaderReport(partitionEpoch, inSync, minInSync, List.copyOf(followers), pending, waiting());
    }

    private List<LeaderReport.WaitingWrite> waiting() {
        int count = count();
        List<LeaderReport.WaitingWrite> waiting = new ArrayList<>(Math.max(0, count));
        for (int i = 0; i < count; i++) {
            waiting.add(new LeaderReport.WaitingWrite(number(), number(), number(), list()));
        }
        return List.copyOf(waiting);
    }

    private List<Integer> list() {
        int count = count();
        List<Integer> ids = new ArrayList<>(Math.max(0, count));
        for (int i = 0; i < count; i++) {
            ids.add(intNumber());
        }
        return List.copyOf(ids);
    }

    /** Never more than there can be numbers left. */
    private int count() {
        int count = intNumber();
        if (count > (text.length() - at) / 2) {
            throw new IllegalArgumentException(count + " at " + at + " are more than there are");
        }
        return count;
    }

    private int intNumber() {
        long number = number();
        if (number != (int) number) {
            throw new IllegalArgumentException(number + " before " + at + " is too large");
        }
        return (int) number;
    }

    private long number() {
        long number = next();
        fingerprint.add(number);
        return number;
    }

    private long age(long stepMs) {
        long ageMs = next();
        fingerprint.add(Ages.step(ageMs, stepMs));
        return ageMs;
    }

    private long next() {
        int end = text.indexOf(' ', at);
        if (end < 0) {
            throw new IllegalArgumentException("it ends within a number, at " + at);
        }
        long number = Long.parseLong(text, at, end, 10);
        at = end + 1;
        return number;
    }
}
