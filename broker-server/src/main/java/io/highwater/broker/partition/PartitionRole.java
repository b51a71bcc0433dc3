package io.highwater.broker.partition;

import io.highwater.controlplane.InSyncReplicasAnswer;
import io.highwater.replication.Effect;
import io.highwater.replication.FollowerReplica;
import io.highwater.replication.FollowerView;
import io.highwater.replication.InSyncReplicasProposal;
import io.highwater.replication.LeaderReplica;
import io.highwater.replication.Leadership;
import io.highwater.replication.LogBounds;
import io.highwater.replication.Membership;
import io.highwater.replication.Refusal;
import io.highwater.replication.ReplicaSettings;
import io.highwater.storage.log.PartitionLog;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * What a partition's replica is, and what follows from it for the requests that wait. Everything here is guarded by the
 * partition's lock, except for what is volatile: that is published for readers. Each transition answers with what is to be done
 * after the lock.
 */
final class PartitionRole {
    private final int nodeId;
    private final PartitionLog log;
    private final Membership membership;
    private ReplicaSettings settings;

    private final OffsetQueue delayedProduces = new OffsetQueue();
    private final OffsetQueue delayedDeletes = new OffsetQueue();

    /** At most one of these two; both null before the first role and after the last. */
    private @Nullable LeaderReplica leader;

    private @Nullable FollowerReplica follower;

    private volatile RoleView view = RoleView.NONE;
    private volatile long highWatermark;
    private volatile long lastStableOffset;

    /** Why nothing goes any more, NONE while it does. Never goes back to NONE. */
    private volatile Errors gone = Errors.NONE;

    PartitionRole(int nodeId, PartitionLog log, Membership membership, ReplicaSettings settings, long highWatermark) {
        this.nodeId = nodeId;
        this.log = log;
        this.membership = membership;
        this.settings = settings;
        this.highWatermark = bounds(highWatermark).highWatermark();
        this.lastStableOffset = log.lastStableOffset(this.highWatermark);
    }

    /** As they hold here: a partition with fewer replicas than the minimum demands only all of them. */
    ReplicaSettings settings() {
        LeaderReplica leads = leader;
        return leads == null
                ? settings
                : new ReplicaSettings(leads.minInSyncReplicas(), settings.maxLagMs(), settings.disconnectGraceMs());
    }

    /** A follower's connection is gone; see {@link LeaderReplica#onFollowerDisconnected}. */
    Aftermath onFollowerDisconnected(int replicaId, long nowMs) {
        if (leader != null) {
            leader.onFollowerDisconnected(replicaId, nowMs);
        }
        return Aftermath.NOTHING;
    }

    /** When {@link #onTick} is next worth a call of its own; {@link Long#MAX_VALUE} if no sooner than usual. */
    long nextDeadlineMs() {
        return leader == null ? Long.MAX_VALUE : leader.nextDeadlineMs();
    }

    /** Whether it leads, and an in-sync follower has lost its connection and not fetched again. */
    boolean hasSuspects() {
        return leader != null && leader.hasSuspects();
    }

    /** Whether a write may go ahead: NONE, or why not. */
    Errors admit(int acks) {
        if (gone != Errors.NONE) {
            return gone;
        }
        if (leader == null) {
            return Errors.NOT_LEADER_OR_FOLLOWER;
        }
        return Refusals.error(leader.admit(acks));
    }

    /** The leader, for whoever was admitted. */
    LeaderReplica leading() {
        if (leader == null) {
            throw new IllegalStateException(log.topicPartition() + " is not led here: " + view);
        }
        return leader;
    }

    /** The leader that this replica is, or null. */
    @Nullable
    LeaderReplica leader() {
        return leader;
    }

    /** The follower that this replica is, or null. */
    @Nullable
    FollowerReplica follower() {
        return follower;
    }

    /** What the leader answered is in the log. Its log start is taken over as far as this replica knows it to be committed. */
    Aftermath onFetched(long leaderHighWatermark, long leaderLogStart) {
        FollowerReplica follows = following();
        follows.onFetched(leaderHighWatermark, log.logStartOffset(), log.logEndOffset());
        if (leaderLogStart > log.logStartOffset() && leaderLogStart <= follows.highWatermark()) {
            log.raiseLogStartOffset(leaderLogStart);
            follows.onLogStartRaised(log.logStartOffset());
        }
        return publish(follows.highWatermark()) ? Aftermath.PROGRESS : Aftermath.NOTHING;
    }

    /** The log was cut, and the follower knows. Readers that wait behind its end have to look for themselves. */
    Aftermath onCut() {
        publish(following().highWatermark());
        return Aftermath.PROGRESS.withRoleChanged();
    }

    private FollowerReplica following() {
        if (follower == null) {
            throw new IllegalStateException(log.topicPartition() + " does not follow: " + view);
        }
        return follower;
    }

    /** Whether a fetch by a follower may go ahead: NONE, or why not. */
    Errors mayFetch(FetchSpec.Follower replica, int askedEpoch) {
        LeaderReplica leads = leader;
        return gone != Errors.NONE || leads == null
                ? mayRead(askedEpoch, true)
                : Refusals.error(leads.mayFetch(replica.replicaId(), askedEpoch, replica.brokerEpoch()));
    }

    Aftermath onAppended(long nowMs) {
        LeaderReplica leads = leading();
        leads.onAppended(log.logEndOffset(), nowMs);
        return settle(leads, List.of());
    }

    Aftermath onLogStartRaised() {
        LeaderReplica leads = leader;
        if (leads == null) {
            if (follower != null) {
                follower.onLogStartRaised(log.logStartOffset());
            }
            publish(Math.max(highWatermark, log.logStartOffset()));
            return Aftermath.NOTHING;
        }
        leads.onLogStartRaised(log.logStartOffset());
        return settle(leads, List.of());
    }

    /** @param leaderEpoch the reign in which the follower read: what it holds is known for that one only */
    Aftermath onFollowerFetch(FetchSpec.Follower replica, long fetchOffset, int leaderEpoch, long nowMs) {
        LeaderReplica leads = leader;
        if (leads == null || leaderEpoch != view.leaderEpoch()) {
            return Aftermath.NOTHING;
        }
        return settle(
                leads,
                leads.onFollowerFetch(
                        replica.replicaId(), fetchOffset, replica.logStartOffset(), replica.brokerEpoch(), nowMs));
    }

    /** This replica leads. Older news is ignored. A new reign is noted in the log's epochs before anything is written in it. */
    Aftermath lead(Leadership leadership, long nowMs) {
        if (gone != Errors.NONE || leadership.leaderEpoch() < view.leaderEpoch()) {
            return Aftermath.NOTHING;
        }
        boolean newReign = leadership.leaderEpoch() > view.leaderEpoch() || leader == null;
        if (newReign) {
            log.startEpoch(leadership.leaderEpoch());
        }
        LeaderReplica leads = leader;
        if (leads == null) {
            leads = new LeaderReplica(nodeId, leadership, membership, settings, bounds(highWatermark), nowMs);
            leader = leads;
            follower = null;
        } else {
            leads.onLeadership(leadership, nowMs);
        }
        view = new RoleView(true, nodeId, leads.leaderEpoch(), leads.epochStartOffset());
        Aftermath aftermath = settle(leads, List.of());
        return newReign ? aftermath.withRoleChanged() : aftermath;
    }

    /** Another replica leads, or none ({@code leaderId} -1). Older news is ignored. */
    Aftermath follow(int leaderId, int leaderEpoch, int partitionEpoch) {
        if (gone != Errors.NONE
                || leaderEpoch < view.leaderEpoch()
                || (leader != null && partitionEpoch < leader.partitionEpoch())) {
            return Aftermath.NOTHING;
        }
        FollowerReplica follows = follower;
        boolean sameLeader = follows != null && follows.leaderId() == leaderId;
        boolean news = !sameLeader || leaderEpoch > view.leaderEpoch();
        if (follows != null && sameLeader) {
            follows.onFollowing(leaderEpoch, partitionEpoch);
        } else {
            leader = null;
            follower = new FollowerReplica(leaderId, leaderEpoch, partitionEpoch, bounds(highWatermark));
        }
        view = new RoleView(false, leaderId, leaderEpoch, 0);
        return news ? Aftermath.ofLeaving(orphans(), Errors.NOT_LEADER_OR_FOLLOWER) : Aftermath.NOTHING;
    }

    Aftermath onTick(long nowMs) {
        return leader == null ? Aftermath.NOTHING : settle(leader, leader.onTick(nowMs));
    }

    Aftermath onAnswer(InSyncReplicasProposal proposal, InSyncReplicasAnswer answer, long nowMs) {
        LeaderReplica leads = leader;
        if (leads == null) {
            return Aftermath.NOTHING;
        }
        if (answer.error() == Errors.NONE) {
            leads.onAgreed(proposal, answer.partitionEpoch(), answer.inSyncReplicas(), nowMs);
            return settle(leads, List.of());
        }
        return settle(leads, leads.onProposalRefused(proposal, Refusals.answer(answer.error())));
    }

    Aftermath onSettings(ReplicaSettings newSettings, long nowMs) {
        settings = newSettings;
        if (leader == null) {
            return Aftermath.NOTHING;
        }
        leader.onSettings(newSettings, nowMs);
        return settle(leader, List.of());
    }

    /** The end, for {@code reason}. */
    Aftermath stop(Errors reason) {
        if (gone != Errors.NONE) {
            return Aftermath.NOTHING;
        }
        gone = reason;
        leader = null;
        follower = null;
        view = new RoleView(false, -1, view.leaderEpoch(), 0);
        return Aftermath.ofLeaving(orphans(), reason);
    }

    /** Waits for the high watermark. */
    void park(DelayedProduce produce) {
        delayedProduces.add(produce);
    }

    /** Waits for the low watermark. */
    void park(DelayedDelete delete) {
        delayedDeletes.add(delete);
    }

    /** True if it was still waiting. */
    boolean remove(AwaitedOffset awaited) {
        return delayedProduces.remove(awaited) || delayedDeletes.remove(awaited);
    }

    /** What writes below the high watermark are told. */
    Errors verdict() {
        return Refusals.error(leading().vouch());
    }

    long lowWatermark() {
        return leader == null ? log.logStartOffset() : leader.lowWatermark();
    }

    List<Integer> inSyncReplicas() {
        return leader == null ? List.of() : List.copyOf(leader.inSyncReplicas());
    }

    List<FollowerView> followersInSync(long nowMs) {
        LeaderReplica leads = leader;
        return leads == null
                ? List.of()
                : leads.followers(nowMs).stream()
                        .filter(each -> leads.inSyncReplicas().contains(each.replicaId()))
                        .toList();
    }

    /** All of it at once, for people. */
    ReplicaReport report(long nowMs) {
        LeaderReplica leads = leader;
        return new ReplicaReport(
                view.leading(),
                view.leaderId(),
                view.leaderEpoch(),
                log.logStartOffset(),
                highWatermark,
                lastStableOffset,
                log.logEndOffset(),
                leads == null ? null : LeaderReport.of(leads, delayedProduces, nowMs));
    }

    boolean isUnderMinInSync() {
        return leader != null && leader.isUnderMin();
    }

    // published: any thread

    /** Whether a reader may be answered that believes in {@code askedEpoch}, -1 if it does not say: NONE, or why not. */
    Errors mayRead(int askedEpoch, boolean leaderOnly) {
        Errors reason = gone;
        RoleView now = view;
        return reason != Errors.NONE
                ? reason
                : Refusals.error(Refusal.of(askedEpoch, leaderOnly, now.leaderEpoch(), now.leading()));
    }

    RoleView view() {
        return view;
    }

    long highWatermark() {
        return highWatermark;
    }

    long lastStableOffset() {
        return lastStableOffset;
    }

    Errors gone() {
        return gone;
    }

    private Aftermath settle(LeaderReplica leads, List<Effect> effects) {
        boolean progress = publish(leads.highWatermark());
        List<AwaitedOffset> committed = delayedProduces.takeUpTo(highWatermark);
        return new Aftermath(
                progress,
                false,
                committed,
                committed.isEmpty() ? Errors.NONE : verdict(),
                delayedDeletes.isEmpty() ? List.of() : delayedDeletes.takeUpTo(leads.lowWatermark()),
                effects);
    }

    /** True if readers may see more than before. */
    private boolean publish(long newHighWatermark) {
        log.onHighWatermark(newHighWatermark);
        long stable = log.lastStableOffset(newHighWatermark);
        boolean progress = newHighWatermark != highWatermark || stable != lastStableOffset;
        highWatermark = newHighWatermark;
        lastStableOffset = stable;
        return progress;
    }

    private List<AwaitedOffset> orphans() {
        List<AwaitedOffset> orphans = new ArrayList<>(delayedProduces.takeAll());
        orphans.addAll(delayedDeletes.takeAll());
        return orphans;
    }

    private LogBounds bounds(long lastKnownHighWatermark) {
        return new LogBounds(log.logStartOffset(), lastKnownHighWatermark, log.logEndOffset());
    }
}
