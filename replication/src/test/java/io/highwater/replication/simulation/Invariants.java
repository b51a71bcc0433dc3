package io.highwater.replication.simulation;

import io.highwater.replication.InSyncReplicasProposal.Cause;
import io.highwater.replication.simulation.History.Ack;
import io.highwater.replication.simulation.History.Append;
import io.highwater.replication.simulation.History.Cut;
import io.highwater.replication.simulation.History.GivenUp;
import io.highwater.replication.simulation.History.Proposed;
import io.highwater.replication.simulation.History.Read;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What no crash, no delay and no clock may break. */
final class Invariants {
    private Invariants() {}

    static final Invariant HIGH_WATERMARK_IS_INSIDE_THE_LOG =
            new Invariant("log start <= high watermark <= log end", Invariants::highWatermarkOutsideTheLog);

    static final Invariant A_LEADER_NEVER_UNCOMMITS =
            new Invariant("within a reign the high watermark only rises", Invariants::uncommitted);

    static final Invariant LOGS_ARE_EQUAL_BELOW_THE_HIGH_WATERMARK = new Invariant(
            "whatever any replica holds as committed is the one committed prefix", Invariants::differentCommit);

    static final Invariant IN_SYNC_MEANS_HOLDING_ALL_COMMITTED = new Invariant(
            "who is in sync or eligible and lives holds every committed record", Invariants::inSyncWithout);

    static final Invariant NOTHING_COMMITTED_IS_LOST = new Invariant(
            "a leader holds every committed record, unless as many copies have died as the minimum says, or it was"
                    + " chosen uncleanly",
            cluster -> cluster.history.loss);

    static final Invariant ONE_LEADER_WRITES_PER_EPOCH =
            new Invariant("no two brokers append as leaders of one epoch", Invariants::twoWriters);

    static final Invariant EPOCH_AND_OFFSET_NAME_ONE_RECORD = new Invariant(
            "two records of the same epoch at the same offset are the same record", Invariants::twoRecords);

    static final Invariant COMMITTED_MEANS_ENOUGH_COPIES = new Invariant(
            "what is committed has as many copies, or had until their brokers died, as the minimum says",
            Invariants::tooFewCopies);

    static final Invariant ACKNOWLEDGED_MEANS_COMMITTED = new Invariant(
            "what acks=all acknowledged is committed at the offset that was named", Invariants::uncommittedAck);

    static final Invariant READERS_SEE_ONLY_COMMITTED = new Invariant(
            "a consumer sees only committed records, none at or above the high watermark", Invariants::badRead);

    static final Invariant ONLY_UNCOMMITTED_IS_CUT =
            new Invariant("no truncation touches a committed record", Invariants::cutCommitted);

    static final Invariant ONCE_AND_IN_ORDER =
            new Invariant("each record of an idempotent producer is committed once, in order", Invariants::repetition);

    static final Invariant A_LEADER_IS_IN_SYNC =
            new Invariant("the leader is in sync, and only replicas are", Invariants::impossibleDecision);

    static final Invariant IMPATIENCE_KEEPS_THE_MINIMUM = new Invariant(
            "nobody asks to give up a disconnected follower if too few or none would stay", Invariants::rashShrink);

    static final Invariant IMPATIENCE_TIRES = new Invariant(
            "a follower is given up again only after twice the time, up to the lag limit", Invariants::shrinkStorm);

    static final List<Invariant> ALL = List.of(
            HIGH_WATERMARK_IS_INSIDE_THE_LOG,
            A_LEADER_NEVER_UNCOMMITS,
            LOGS_ARE_EQUAL_BELOW_THE_HIGH_WATERMARK,
            IN_SYNC_MEANS_HOLDING_ALL_COMMITTED,
            NOTHING_COMMITTED_IS_LOST,
            ONE_LEADER_WRITES_PER_EPOCH,
            EPOCH_AND_OFFSET_NAME_ONE_RECORD,
            COMMITTED_MEANS_ENOUGH_COPIES,
            ACKNOWLEDGED_MEANS_COMMITTED,
            READERS_SEE_ONLY_COMMITTED,
            ONLY_UNCOMMITTED_IS_CUT,
            ONCE_AND_IN_ORDER,
            A_LEADER_IS_IN_SYNC,
            IMPATIENCE_KEEPS_THE_MINIMUM,
            IMPATIENCE_TIRES);

    private static @Nullable String highWatermarkOutsideTheLog(Cluster cluster) {
        for (Broker broker : cluster.brokers) {
            SimulatedLog log = broker.log();
            long highWatermark = broker.highWatermark();
            if (broker.isUp() && (highWatermark < log.logStartOffset() || highWatermark > log.logEndOffset())) {
                return broker.id + " has high watermark " + highWatermark + " and log " + log;
            }
        }
        return null;
    }

    private static @Nullable String uncommitted(Cluster cluster) {
        for (Broker broker : cluster.brokers) {
            if (broker.isUp() && broker.leading() != null) {
                long before = cluster.history.commitsBefore.getOrDefault(broker.leaderEpoch(), 0L);
                if (broker.highWatermark() < before) {
                    return broker.id + " went from " + before + " to " + broker.highWatermark();
                }
            }
        }
        return null;
    }

    private static @Nullable String differentCommit(Cluster cluster) {
        History history = cluster.history;
        for (Broker broker : cluster.brokers) {
            boolean bound = broker.isUp() && history.isValid(broker) && !history.isAstray(broker);
            if (bound && broker.highWatermark() > broker.log().sameAs(history.committed)) {
                return broker.id + " holds as committed up to " + broker.highWatermark() + ": " + broker.log()
                        + " but committed is " + history.committed;
            }
        }
        return null;
    }

    private static @Nullable String inSyncWithout(Cluster cluster) {
        History history = cluster.history;
        PartitionState state = cluster.controller.image().partition();
        if (history.isUnjudged(state)) {
            return null;
        }
        for (Broker broker : cluster.brokers) {
            boolean bound =
                    state.inSync().contains(broker.id) || state.eligible().contains(broker.id);
            if (bound
                    && !history.isDead(broker.id)
                    && !history.isAstray(broker)
                    && broker.log().sameAs(history.committed) < history.committed.size()) {
                return broker.id + " has " + broker.log() + ", committed is " + history.committed + ", decided "
                        + state;
            }
        }
        return null;
    }

    private static @Nullable String twoWriters(Cluster cluster) {
        for (Append append : cluster.history.appends) {
            Integer writer = cluster.history.writers.get(append.entry().leaderEpoch());
            if (append.asLeader() && writer != null && writer != append.broker().id) {
                return append.broker().id + " appended " + append.entry() + ", " + writer
                        + " has written in that epoch";
            }
        }
        return null;
    }

    private static @Nullable String twoRecords(Cluster cluster) {
        for (Append append : cluster.history.appends) {
            Entry known = cluster.history.written.get(History.key(append.entry(), append.offset()));
            if (known != null && !known.equals(append.entry())) {
                return append.entry() + " and " + known + " at " + append.offset();
            }
        }
        return null;
    }

    private static @Nullable String tooFewCopies(Cluster cluster) {
        History history = cluster.history;
        for (int offset = history.committedBefore; offset < history.committed.size(); offset++) {
            int copies = 0;
            for (Broker broker : cluster.brokers) {
                SimulatedLog log = broker.log();
                boolean holds = log.has(offset) && log.get(offset).equals(history.committed.get(offset));
                copies += holds || offset < log.logStartOffset() || history.diedWith(broker, offset) ? 1 : 0;
            }
            if (copies < cluster.minInSync()) {
                return history.committed.get(offset) + " at " + offset + " has " + copies;
            }
        }
        return null;
    }

    private static @Nullable String uncommittedAck(Cluster cluster) {
        List<Entry> committed = cluster.history.committed;
        for (Ack ack : cluster.history.acks) {
            for (int i = 0; i < ack.request().count(); i++) {
                int offset = (int) ack.baseOffset() + i;
                int sequence = ack.request().firstSequence() + i;
                if (offset >= committed.size()
                        || committed.get(offset).sequence() != sequence
                        || !committed
                                .get(offset)
                                .producer()
                                .equals(ack.request().producer())) {
                    return ack + " but committed is " + committed;
                }
            }
        }
        return null;
    }

    private static @Nullable String badRead(Cluster cluster) {
        List<Entry> committed = cluster.history.committed;
        for (Read read : cluster.history.reads) {
            int offset = (int) read.offset();
            if (offset >= read.highWatermark()
                    || offset >= committed.size()
                    || !committed.get(offset).equals(read.entry())) {
                return read.server().id + " gave " + read.entry() + " at " + offset;
            }
        }
        return null;
    }

    private static @Nullable String cutCommitted(Cluster cluster) {
        List<Entry> committed = cluster.history.committed;
        for (Cut cut : cluster.history.cuts) {
            for (int i = 0; i < cut.records().size(); i++) {
                int offset = (int) cut.offset() + i;
                if (offset < committed.size()
                        && committed.get(offset).equals(cut.records().get(i))) {
                    return cut.broker().id + " cut " + committed.get(offset) + " at " + offset;
                }
            }
        }
        return null;
    }

    private static @Nullable String repetition(Cluster cluster) {
        History history = cluster.history;
        for (int offset = history.committedBefore; offset < history.committed.size(); offset++) {
            Entry entry = history.committed.get(offset);
            if (entry.producer().startsWith(Simulation.IDEMPOTENT)) {
                int before = offset == history.committedBefore
                        ? history.newestSequences.getOrDefault(entry.producer(), -1)
                        : newestBefore(history, offset, entry.producer());
                boolean gapIsForgiven = history.permittedLosses() > 0 && entry.sequence() > before;
                if (entry.sequence() != before + 1 && !gapIsForgiven) {
                    return entry + " at " + offset + " follows number " + before;
                }
            }
        }
        return null;
    }

    private static int newestBefore(History history, int offset, String producer) {
        for (int earlier = offset - 1; earlier >= history.committedBefore; earlier--) {
            if (history.committed.get(earlier).producer().equals(producer)) {
                return history.committed.get(earlier).sequence();
            }
        }
        return history.newestSequences.getOrDefault(producer, -1);
    }

    private static @Nullable String impossibleDecision(Cluster cluster) {
        for (PartitionState state : cluster.history.decisions) {
            boolean led = state.leader() == -1 || state.inSync().contains(state.leader());
            if (!led || !state.replicas().containsAll(state.inSync())) {
                return state.toString();
            }
        }
        return null;
    }

    private static @Nullable String rashShrink(Cluster cluster) {
        for (Proposed proposed : cluster.history.proposals) {
            boolean impatient = proposed.proposal().cause() == Cause.DISCONNECTED;
            if (impatient && proposed.proposal().members().size() < Math.max(2, cluster.minInSync())) {
                return proposed.toString();
            }
        }
        return null;
    }

    private static @Nullable String shrinkStorm(Cluster cluster) {
        for (Proposed proposed : cluster.history.proposals) {
            if (proposed.proposal().cause() != Cause.DISCONNECTED) {
                continue;
            }
            long nowMs = proposed.leader().clockMs();
            for (int follower : proposed.proposal().replicas()) {
                GivenUp before = cluster.history.givenUp(proposed.leader(), follower);
                long patience = cluster.settings.disconnectGraceMs() << before.times();
                boolean early = nowMs - before.atMs() < Math.min(patience, cluster.settings.maxLagMs());
                if (before.times() > 0 && early) {
                    return proposed + " after " + before;
                }
            }
        }
        return null;
    }
}
