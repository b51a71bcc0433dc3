package io.highwater.broker.view;

import io.highwater.broker.partition.LeaderReport;
import io.highwater.broker.partition.ReplicaReport;
import io.highwater.replication.FollowerView;
import java.util.List;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Writes replicas down for another broker, which asks several times a second: numbers alone, a space after each, in the order in which
 * {@link ReplicaReader} takes them. Lists begin with their length; what is missing is -1 instead. One thread.
 */
final class ReplicaWriter {
    private final StringBuilder text = new StringBuilder();
    private final Fingerprint fingerprint = new Fingerprint();

    /**
     * Tells of one replica, unless that is known.
     *
     * @param position which of those asked for
     * @param known the fingerprint of what the other broker knows
     * @param report what there is to tell; null if there is none that works
     * @param error why there is none
     */
    void add(int position, int known, @Nullable ReplicaReport report, Errors error) {
        int start = text.length();
        number(position);
        fingerprint.begin();
        if (report == null) {
            number(error.code());
        } else {
            number(Errors.NONE.code());
            replica(report);
        }
        if (fingerprint.value() == known) {
            text.setLength(start);
        }
    }

    private void replica(ReplicaReport report) {
        number(report.leading() ? 1 : 0);
        number(report.leaderId());
        number(report.leaderEpoch());
        number(report.logStart());
        number(report.highWatermark());
        number(report.lastStableOffset());
        number(report.logEnd());
        LeaderReport leads = report.asLeader();
        number(leads == null ? -1 : leads.followers().size());
        if (leads != null) {
            leader(leads);
        }
    }

    private void leader(LeaderReport leads) {
        for (FollowerView follower : leads.followers()) {
            number(follower.replicaId());
            number(follower.logStartOffset());
            number(follower.logEndOffset());
            age(follower.lagMs(), Ages.LAG_MS);
            age(follower.silentMs(), Ages.SILENT_MS);
        }
        number(leads.partitionEpoch());
        number(leads.minInSync());
        list(leads.inSync());
        LeaderReport.Pending pending = leads.pending();
        number(pending == null ? -1 : 1);
        if (pending != null) {
            list(pending.inSync());
            age(pending.ageMs(), Ages.NO_NEWS);
        }
        number(leads.waiting().size());
        for (LeaderReport.WaitingWrite write : leads.waiting()) {
            number(write.baseOffset());
            number(write.requiredOffset());
            number(write.ageMs());
            list(write.waitsFor());
        }
    }

    private void list(List<Integer> ids) {
        number(ids.size());
        for (int id : ids) {
            number(id);
        }
    }

    private void number(long number) {
        text.append(number).append(' ');
        fingerprint.add(number);
    }

    private void age(long ms, long stepMs) {
        text.append(ms).append(' ');
        fingerprint.add(Ages.step(ms, stepMs));
    }

    /** All that was to be told. */
    String text() {
        return text.toString();
    }
}
