package io.highwater.replication.simulation;

import io.highwater.replication.Effect;
import io.highwater.replication.FetchPosition;
import io.highwater.replication.InSyncReplicasProposal;
import io.highwater.replication.LeaderAnswer;
import io.highwater.replication.LeaderReplica;
import io.highwater.replication.Leadership;
import io.highwater.replication.ProposalAnswer;
import io.highwater.replication.Refusal;
import io.highwater.replication.simulation.Network.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A broker as the leader: drives a {@link LeaderReplica} and parks what has to wait. */
final class Leading {
    private final Broker broker;
    private final Cluster cluster;
    private final LeaderReplica replica;
    private final List<ParkedProduce> produces = new ArrayList<>();
    private final List<ParkedFetch> fetches = new ArrayList<>();
    private boolean ended;

    /** The one timer for {@link LeaderReplica#nextDeadlineMs}, -1 if it is not set. */
    private long armedMs = -1;

    /** Waits for the high watermark to reach {@code requiredOffset}. */
    private record ParkedProduce(Produce request, long baseOffset, long requiredOffset, Consumer<Produced> reply) {}

    /** Waits for anything that is news to a follower at {@code position}. */
    private record ParkedFetch(FetchPosition position, Consumer<Fetched> reply) {}

    Leading(Broker broker, LeaderReplica replica) {
        this.broker = broker;
        this.cluster = broker.cluster;
        this.replica = replica;
    }

    /** Another leads, or the process dies: whoever waits here waits in vain. */
    void end() {
        ended = true;
        produces.forEach(parked -> parked.reply.accept(Produced.refused(Refusal.NOT_LEADER)));
        fetches.forEach(parked -> parked.reply.accept(Fetched.refused(Refusal.NOT_LEADER)));
        produces.clear();
        fetches.clear();
    }

    void onLeadership(Leadership leadership) {
        boolean newReign = leadership.leaderEpoch() > replica.leaderEpoch();
        if (newReign) {
            broker.log().startEpoch(leadership.leaderEpoch());
        }
        replica.onLeadership(leadership, broker.clockMs());
        if (newReign) {
            cluster.history.onLeading(broker, leadership.leaderEpoch());
        }
        settle();
    }

    void onProduce(Produce request, Consumer<Produced> reply) {
        Refusal refusal = replica.admit(request.acks());
        if (refusal != null) {
            reply.accept(Produced.refused(refusal));
            return;
        }
        SimulatedLog log = broker.log();
        long baseOffset = log.logEndOffset();
        if (request.idempotent()) {
            long before = offsetOf(request.producer(), request.firstSequence());
            int next = nextSequence(request.producer());
            if (before == -1 && next != -1 && request.firstSequence() != next) {
                reply.accept(Produced.asOutOfOrder());
                return;
            }
            baseOffset = before == -1 ? baseOffset : before;
        }
        if (baseOffset == log.logEndOffset()) {
            append(request);
        }
        long required = baseOffset + request.count();
        if (request.acks() == -1) {
            produces.add(new ParkedProduce(request, baseOffset, required, reply));
        } else {
            reply.accept(Produced.at(baseOffset));
        }
        settle();
    }

    private void append(Produce request) {
        SimulatedLog log = broker.log();
        long baseOffset = log.logEndOffset();
        for (int i = 0; i < request.count(); i++) {
            Entry entry = new Entry(replica.leaderEpoch(), request.producer(), request.firstSequence() + i);
            log.append(entry);
            cluster.history.onAppended(broker, log.logEndOffset() - 1, entry, true);
        }
        cluster.say("%d appends %s", broker.id, log.describe(baseOffset, log.logEndOffset()));
        replica.onAppended(log.logEndOffset(), broker.clockMs());
    }

    void onFetch(int replicaId, long brokerEpoch, FetchPosition position, Consumer<Fetched> reply) {
        Refusal refusal = replica.mayFetch(replicaId, position.leaderEpoch(), brokerEpoch);
        if (refusal != null) {
            reply.accept(Fetched.refused(refusal));
            return;
        }
        Fetched fetched = read(position);
        if (fetched.isRefused() || fetched.answer().diverging() != null) {
            reply.accept(fetched);
            return;
        }
        perform(replica.onFollowerFetch(
                replicaId, position.fetchOffset(), position.logStartOffset(), brokerEpoch, broker.clockMs()));
        if (isNews(fetched, position) || cluster.settings.fetchWaitMs() == 0) {
            reply.accept(fetched);
        } else {
            ParkedFetch parked = new ParkedFetch(position, reply);
            fetches.add(parked);
            broker.later(cluster.settings.fetchWaitMs(), () -> {
                if (fetches.remove(parked)) {
                    parked.reply.accept(read(parked.position));
                }
            });
        }
        settle();
    }

    void onDisconnected(int replicaId) {
        replica.onFollowerDisconnected(replicaId, broker.clockMs());
        settle();
    }

    void onTick() {
        perform(replica.onTick(broker.clockMs()));
        settle();
    }

    /** Retention or a client's wish: the head of the log goes. */
    void raiseLogStart(long offset) {
        broker.log().raiseStart(offset);
        replica.onLogStartRaised(offset);
        settle();
    }

    /** After any event: tells those who have waited for what has become true. */
    void settle() {
        if (replica.highWatermark() != broker.highWatermark()) {
            cluster.say("%d commits up to %d", broker.id, replica.highWatermark());
            broker.setHighWatermark(replica.highWatermark());
        }
        for (ParkedProduce parked : List.copyOf(produces)) {
            if (parked.requiredOffset <= replica.highWatermark()) {
                produces.remove(parked);
                Refusal refusal = replica.vouch();
                parked.reply.accept(refusal == null ? Produced.at(parked.baseOffset) : Produced.refused(refusal));
            }
        }
        for (ParkedFetch parked : List.copyOf(fetches)) {
            Fetched fetched = read(parked.position);
            if (isNews(fetched, parked.position)) {
                fetches.remove(parked);
                parked.reply.accept(fetched);
            }
        }
        long deadlineMs = replica.nextDeadlineMs();
        if (deadlineMs != Long.MAX_VALUE && deadlineMs != armedMs) {
            armedMs = deadlineMs;
            broker.later(Math.max(0, deadlineMs - broker.clockMs()), () -> {
                armedMs = -1;
                if (!ended && replica.nextDeadlineMs() <= broker.clockMs()) {
                    onTick();
                }
            });
        }
    }

    private void perform(List<Effect> effects) {
        effects.forEach(effect -> effect.performBy(this::propose));
    }

    private void propose(InSyncReplicasProposal proposal) {
        cluster.say("%d asks for in-sync replicas %s", broker.id, new ProposalText(proposal));
        cluster.history.onProposed(broker, proposal);
        send(proposal);
    }

    private void send(InSyncReplicasProposal proposal) {
        cluster.network.<Controller.Verdict>call(
                broker,
                cluster.controller,
                Channel.PROPOSALS,
                reply -> reply.accept(cluster.controller.alter(broker.id, broker.brokerEpoch(), proposal)),
                verdict -> onVerdict(proposal, verdict),
                () -> broker.later(50, () -> {
                    if (!ended) {
                        send(proposal);
                    }
                }));
    }

    private void onVerdict(InSyncReplicasProposal proposal, Controller.Verdict verdict) {
        if (ended) {
            return;
        }
        ProposalAnswer refused = verdict.refused();
        if (refused == null) {
            PartitionState agreed = verdict.state();
            replica.onAgreed(proposal, agreed.partitionEpoch(), agreed.inSync(), broker.clockMs());
        } else {
            replica.onProposalRefused(proposal, refused)
                    .forEach(effect -> effect.performBy(again -> broker.later(50, () -> send(again))));
        }
        settle();
    }

    private Fetched read(FetchPosition position) {
        SimulatedLog log = broker.log();
        LeaderAnswer answer =
                LeaderAnswer.to(position.fetchOffset(), position.lastFetchedEpoch(), log, replica.highWatermark());
        boolean records = answer.refusal() == null && answer.diverging() == null;
        return new Fetched(
                answer,
                records
                        ? log.read(position.fetchOffset(), log.logEndOffset(), cluster.settings.maxFetchRecords())
                        : List.of());
    }

    private static boolean isNews(Fetched fetched, FetchPosition position) {
        return fetched.isRefused()
                || fetched.answer().diverging() != null
                || !fetched.records().isEmpty()
                || fetched.answer().highWatermark() > position.highWatermark();
    }

    private long offsetOf(String producer, int sequence) {
        SimulatedLog log = broker.log();
        for (long offset = log.logEndOffset() - 1; offset >= log.logStartOffset(); offset--) {
            Entry entry = log.get(offset);
            if (entry.sequence() == sequence && entry.producer().equals(producer)) {
                return offset;
            }
        }
        return -1;
    }

    /** -1 for a producer that is not known: it may begin with any number. */
    private int nextSequence(String producer) {
        SimulatedLog log = broker.log();
        for (long offset = log.logEndOffset() - 1; offset >= log.logStartOffset(); offset--) {
            if (log.get(offset).producer().equals(producer)) {
                return log.get(offset).sequence() + 1;
            }
        }
        return -1;
    }

    LeaderReplica replica() {
        return replica;
    }

    int leaderEpoch() {
        return replica.leaderEpoch();
    }

    boolean isAwaited() {
        return !produces.isEmpty();
    }
}
