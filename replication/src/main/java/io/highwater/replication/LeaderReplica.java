package io.highwater.replication;

import io.highwater.replication.InSyncReplicasProposal.Cause;
import io.highwater.replication.InSyncReplicasProposal.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The leader's side of one partition: who has caught up, and so what is committed. Guarded by its partition's lock.
 * Hot: {@link #onAppended}, {@link #onFollowerFetch} and the getters.
 */
public final class LeaderReplica {
    private static final List<Effect> NOTHING = List.of();

    private final int localId;
    private final Membership membership;
    private final LeaderRules rules;
    private ReplicaSettings settings;

    private int leaderEpoch = -1;
    private int partitionEpoch = -1;

    /** Where this leader's reign began in its log: a follower below it may not join. */
    private long epochStartOffset;

    private final Followers followers = new Followers();

    /** Official: the controller has agreed to it. Holds this replica. */
    private Set<Integer> inSyncReplicas = Set.of();

    /** Official plus proposed joiners. Invariant: contains {@link #inSyncReplicas}. */
    private Set<Integer> maximalInSyncReplicas = Set.of();

    /** At most one change is asked for at a time. */
    private @Nullable InSyncReplicasProposal pending;

    /** When it was first asked for; means nothing while {@link #pending} is null. */
    private long pendingSinceMs;

    private long logStartOffset;
    private long logEndOffset;

    /** Never goes back while leading; between log start and log end. */
    private long highWatermark;

    /** A replica that has just been told to lead. */
    public LeaderReplica(
            int localId,
            Leadership leadership,
            Membership membership,
            ReplicaSettings settings,
            LogBounds log,
            long nowMs) {
        this(localId, leadership, membership, settings, log, nowMs, LeaderRules.KAFKA);
    }

    LeaderReplica(
            int localId,
            Leadership leadership,
            Membership membership,
            ReplicaSettings settings,
            LogBounds log,
            long nowMs,
            LeaderRules rules) {
        this.localId = localId;
        this.membership = membership;
        this.rules = rules;
        this.settings = settings;
        this.logStartOffset = log.logStartOffset();
        this.highWatermark = log.highWatermark();
        this.logEndOffset = log.logEndOffset();
        this.epochStartOffset = logEndOffset;
        adopt(leadership);
        this.leaderEpoch = leadership.leaderEpoch();
        for (FollowerProgress follower : followers.all()) {
            follower.startUnderNewLeader(inSyncReplicas.contains(follower.replicaId()), nowMs);
        }
        advanceHighWatermark(nowMs);
        check();
    }

    /**
     * News about the partition from the controller, in which this replica still leads. Older news than what is known is
     * ignored. Any proposal under way is dropped, unless the news is what an answer has told before: then the proposal was made
     * later, the controller may be agreeing to it, and who it lets join has to count.
     */
    public void onLeadership(Leadership leadership, long nowMs) {
        if (leadership.partitionEpoch() < partitionEpoch || leadership.leaderEpoch() < leaderEpoch) {
            return;
        }
        boolean newEpoch = leadership.leaderEpoch() > leaderEpoch;
        adopt(leadership);
        if (newEpoch) {
            leaderEpoch = leadership.leaderEpoch();
            epochStartOffset = logEndOffset;
            for (FollowerProgress follower : followers.all()) {
                follower.startNewEpoch(inSyncReplicas.contains(follower.replicaId()), logEndOffset, nowMs);
            }
        }
        advanceHighWatermark(nowMs);
        check();
    }

    /** The log has grown to {@code newLogEndOffset} (exclusive). */
    public void onAppended(long newLogEndOffset, long nowMs) {
        logEndOffset = newLogEndOffset;
        advanceHighWatermark(nowMs);
        check();
    }

    /** The log's head is gone up to {@code newLogStartOffset}; takes the high watermark with it. */
    public void onLogStartRaised(long newLogStartOffset) {
        logStartOffset = newLogStartOffset;
        highWatermark = Math.max(highWatermark, newLogStartOffset);
        check();
    }

    /** Another minimum or another patience. */
    public void onSettings(ReplicaSettings newSettings, long nowMs) {
        settings = newSettings;
        advanceHighWatermark(nowMs);
        check();
    }

    /**
     * A follower fetches from {@code fetchOffset}, and so holds everything below. Ask {@link #mayFetch} first.
     *
     * @param followerLogStart the first offset it keeps
     * @param brokerEpoch the registration it fetches under, -1 if it does not say
     */
    public List<Effect> onFollowerFetch(
            int replicaId, long fetchOffset, long followerLogStart, long brokerEpoch, long nowMs) {
        FollowerProgress follower = followers.find(replicaId);
        if (follower == null) {
            return NOTHING;
        }
        long before = follower.logEndOffset();
        follower.fetchedFrom(fetchOffset, followerLogStart, brokerEpoch, logEndOffset, nowMs);
        List<Effect> effects = mayJoin(follower) ? propose(Cause.CAUGHT_UP, List.of(follower), nowMs) : NOTHING;
        if (before != fetchOffset) {
            advanceHighWatermark(nowMs);
        }
        check();
        return effects;
    }

    /**
     * The connection on which a follower last fetched is gone: its process may be dead. Unless it fetches again within its grace,
     * the leader asks to go on without it, as soon as {@link #nextDeadlineMs}. Not to be called for an older connection than
     * the one of its newest fetch. Changes nothing official, and never asks for less than the minimum or for being alone: a
     * leader that loses all its followers at once cannot tell whether it is the one that is cut off.
     */
    public void onFollowerDisconnected(int replicaId, long nowMs) {
        FollowerProgress follower = followers.find(replicaId);
        if (follower != null) {
            follower.suspicion().onDisconnected(nowMs);
        }
    }

    /**
     * Time has passed: proposes to go on without those who lag, or whose grace after a broken connection is over, and waits no longer for
     * those who were about to join and did not come. To be called every half {@code maxLagMs}, and at {@link #nextDeadlineMs}.
     */
    public List<Effect> onTick(long nowMs) {
        advanceHighWatermark(nowMs);
        check();
        if (pending != null) {
            return NOTHING;
        }
        List<FollowerProgress> lagging = followers.lagging(inSyncReplicas, logEndOffset, nowMs, settings.maxLagMs());
        if (!lagging.isEmpty()) {
            return propose(Cause.LAGGING, lagging, nowMs);
        }
        if (nextDeadlineMs() > nowMs) {
            return NOTHING;
        }
        List<FollowerProgress> disconnected = followers.overdue(inSyncReplicas, nowMs, settings);
        disconnected.forEach(follower -> follower.suspicion().onGivenUp(nowMs, settings));
        return propose(Cause.DISCONNECTED, disconnected, nowMs);
    }

    /**
     * When {@link #onTick} is next worth a call of its own, {@link Long#MAX_VALUE} if no sooner than usual. May change with any
     * event; never in the past after a tick.
     */
    public long nextDeadlineMs() {
        int healthy = inSyncReplicas.size() - followers.suspects(inSyncReplicas);
        return pending != null || healthy < Math.max(minInSyncReplicas(), 2)
                ? Suspicion.NEVER
                : followers.earliestDueMs(inSyncReplicas, settings);
    }

    /**
     * The controller has agreed to {@code proposal}. Ignored if that is no longer the pending one: then metadata has been here
     * first, and what it said stands, with what may have been proposed since.
     *
     * @return true if it was news
     */
    public boolean onAgreed(
            InSyncReplicasProposal proposal, int agreedPartitionEpoch, List<Integer> agreed, long nowMs) {
        if (!proposal.equals(pending) || agreedPartitionEpoch < partitionEpoch) {
            return false;
        }
        partitionEpoch = agreedPartitionEpoch;
        commit(agreed);
        advanceHighWatermark(nowMs);
        check();
        return true;
    }

    /** The controller has not agreed to {@code proposal}. Ignored if that is no longer the pending one. */
    public List<Effect> onProposalRefused(InSyncReplicasProposal proposal, ProposalAnswer answer) {
        if (!proposal.equals(pending)) {
            return NOTHING;
        }
        return switch (answer) {
            case UNDECIDED -> List.of(proposal);
            case OVERTAKEN -> NOTHING;
            case REJECTED -> {
                commit(List.copyOf(inSyncReplicas));
                check();
                yield NOTHING;
            }
        };
    }

    /** Whether a write may go ahead; {@code acks} is -1 for all. */
    public @Nullable Refusal admit(int acks) {
        return acks == -1 && isBelowMin(inSyncReplicas) ? Refusal.NOT_ENOUGH_REPLICAS : null;
    }

    /**
     * Whether a fetch by a follower may go ahead.
     *
     * @param askedEpoch the leader epoch it believes in, -1 if it does not say
     * @param brokerEpoch the registration it fetches under, -1 if it does not say
     */
    public @Nullable Refusal mayFetch(int replicaId, int askedEpoch, long brokerEpoch) {
        Refusal refusal = Refusal.of(askedEpoch, true, leaderEpoch, true);
        if (refusal != null) {
            return refusal;
        }
        if (followers.find(replicaId) == null) {
            return askedEpoch == -1 ? Refusal.NOT_LEADER : Refusal.NOT_ASSIGNED;
        }
        return brokerEpoch != FollowerProgress.UNKNOWN && brokerEpoch < membership.brokerEpoch(replicaId)
                ? Refusal.STALE_BROKER_EPOCH
                : null;
    }

    /** For a write known to be below the high watermark: whether enough replicas vouch for it. */
    public @Nullable Refusal vouch() {
        return isBelowMin(maximalInSyncReplicas) ? Refusal.NOT_ENOUGH_REPLICAS_AFTER_APPEND : null;
    }

    /** All below it is committed (exclusive). */
    public long highWatermark() {
        return highWatermark;
    }

    /** Reign of this leader. */
    public int leaderEpoch() {
        return leaderEpoch;
    }

    /** Version of the agreed in-sync replicas. */
    public int partitionEpoch() {
        return partitionEpoch;
    }

    /** Where this reign began in the log. */
    public long epochStartOffset() {
        return epochStartOffset;
    }

    /** The agreed set. Immutable. */
    public Set<Integer> inSyncReplicas() {
        return inSyncReplicas;
    }

    /** The agreed set and those who are asked for: what is committed waits for all of them. Immutable. */
    public Set<Integer> maximalInSyncReplicas() {
        return maximalInSyncReplicas;
    }

    /** The change of the in-sync replicas that is asked for and not answered; null if there is none. */
    public @Nullable InSyncReplicasProposal pending() {
        return pending;
    }

    /** When {@link #pending} was first asked for, on the clock of the events; of no meaning if there is none. */
    public long pendingSinceMs() {
        return pendingSinceMs;
    }

    /** True while a change of the in-sync replicas is asked for and not answered. */
    public boolean isProposing() {
        return pending != null;
    }

    /** True while an in-sync replica has lost its connection and not fetched again. */
    public boolean hasSuspects() {
        return followers.suspects(inSyncReplicas) > 0;
    }

    /** True if fewer replicas are in sync than the topic demands. */
    public boolean isUnderMin() {
        return isBelowMin(inSyncReplicas);
    }

    /** Fewer in-sync replicas refuse acks=all: what the topic demands, but never more than there are replicas. */
    public int minInSyncReplicas() {
        return Math.min(settings.minInSyncReplicas(), replicas());
    }

    /** How many replicas the partition should have, this one and those on their way among them. */
    public int replicas() {
        return followers.all().length + 1;
    }

    /** The lowest log start of this replica and its active followers: everything below is gone everywhere. */
    public long lowWatermark() {
        long lowest = logStartOffset;
        for (FollowerProgress follower : followers.all()) {
            if (membership.isActive(follower.replicaId())) {
                lowest = Math.min(lowest, follower.logStartOffset());
            }
        }
        return lowest;
    }

    /** All followers, in the order of the assignment. */
    public List<FollowerView> followers(long nowMs) {
        return followers.views(logEndOffset, nowMs);
    }

    private void adopt(Leadership leadership) {
        if (!leadership.inSyncReplicas().contains(localId)) {
            throw new IllegalStateException("leader " + localId + " is not in sync in " + leadership);
        }
        followers.track(leadership.assignedReplicas(), localId);
        if (rules.isNews(leadership, leaderEpoch, partitionEpoch)) {
            partitionEpoch = leadership.partitionEpoch();
            commit(leadership.inSyncReplicas());
        } else {
            setMaximal(maximalInSyncReplicas);
        }
    }

    private void commit(List<Integer> agreed) {
        pending = null;
        inSyncReplicas = Set.copyOf(agreed);
        setMaximal(inSyncReplicas);
    }

    private void setMaximal(Set<Integer> replicas) {
        maximalInSyncReplicas = replicas;
        followers.setMaximal(replicas);
    }

    private List<Effect> propose(Cause cause, List<FollowerProgress> moving, long nowMs) {
        Set<Integer> wanted = new TreeSet<>(inSyncReplicas);
        List<FollowerView> evidence = new ArrayList<>();
        for (FollowerProgress follower : moving) {
            if (cause == Cause.CAUGHT_UP) {
                wanted.add(follower.replicaId());
            } else {
                wanted.remove(follower.replicaId());
            }
            evidence.add(follower.view(logEndOffset, nowMs));
        }
        if (cause == Cause.CAUGHT_UP) {
            // Those to be left behind, on the other hand, still count until the controller has agreed.
            setMaximal(Set.copyOf(wanted));
        }
        List<Member> members = new ArrayList<>();
        for (int replicaId : wanted) {
            FollowerProgress follower = followers.find(replicaId);
            long epoch = follower == null ? membership.brokerEpoch(localId) : rules.vouchedEpoch(follower);
            members.add(new Member(replicaId, epoch));
        }
        pending = new InSyncReplicasProposal(
                leaderEpoch, partitionEpoch, members, cause, List.copyOf(evidence), logEndOffset, highWatermark);
        pendingSinceMs = nowMs;
        check();
        return List.of(pending);
    }

    private boolean mayJoin(FollowerProgress follower) {
        return pending == null
                && !follower.inMaximalSet()
                && rules.mayJoin(follower.logEndOffset(), highWatermark, epochStartOffset)
                && isEligible(follower);
    }

    private boolean isEligible(FollowerProgress follower) {
        if (!membership.isActive(follower.replicaId())) {
            return false;
        }
        long seen = follower.brokerEpoch();
        return seen == FollowerProgress.UNKNOWN || seen == membership.brokerEpoch(follower.replicaId());
    }

    private void advanceHighWatermark(long nowMs) {
        if (!rules.mayCommit(inSyncReplicas.size(), minInSyncReplicas())) {
            return;
        }
        long candidate = logEndOffset;
        for (FollowerProgress follower : followers.all()) {
            if (follower.inMaximalSet() && !rules.isKnownLife(follower, membership)) {
                return;
            }
            if (follower.logEndOffset() < candidate && rules.waitsFor(follower, this, nowMs)) {
                candidate = follower.logEndOffset();
            }
        }
        if (candidate > highWatermark) {
            highWatermark = candidate;
        }
    }

    boolean isAboutToJoin(FollowerProgress follower, long nowMs) {
        // One that was given up early comes back by fetching; until then nobody waits for it, or giving it up were in
        // vain.
        boolean gone = settings.givesUpEarly() && follower.suspicion().isSuspect();
        return !gone && follower.isCaughtUp(logEndOffset, nowMs, settings.maxLagMs()) && isEligible(follower);
    }

    private boolean isBelowMin(Set<Integer> replicas) {
        return replicas.size() < minInSyncReplicas();
    }

    private void check() {
        assert maximalInSyncReplicas.containsAll(inSyncReplicas);
        if (highWatermark > logEndOffset || highWatermark < logStartOffset) {
            throw new IllegalStateException("high watermark " + highWatermark + " is outside the log [" + logStartOffset
                    + ", " + logEndOffset + "]");
        }
    }
}
