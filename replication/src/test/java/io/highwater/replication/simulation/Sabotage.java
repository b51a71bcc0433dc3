package io.highwater.replication.simulation;

import io.highwater.replication.BrokenLeaders;
import io.highwater.replication.EpochEnd;
import io.highwater.replication.FetchPosition;
import io.highwater.replication.FollowerReplica;
import io.highwater.replication.FollowerStep;
import io.highwater.replication.LeaderAnswer;
import io.highwater.replication.LeaderReplica;
import io.highwater.replication.Leadership;
import io.highwater.replication.LogBounds;
import io.highwater.replication.Membership;
import io.highwater.replication.ReplicaLog;
import io.highwater.replication.ReplicaSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Rules that were once thought good enough, or that a hasty change might bring back. */
enum Sabotage {
    /** Before KIP-101: a new follower cuts its log to its own high watermark and believes the rest. */
    TRUNCATES_TO_THE_HIGH_WATERMARK(TruncatesToTheHighWatermark::new),
    /** Before KIP-279: cuts to where the leader says its epoch ends, without asking which epoch that answer is about. */
    BELIEVES_AN_OFFSET_WITHOUT_ITS_EPOCH(BelievesAnOffset::new),
    COUNTS_ONLY_THE_AGREED(() -> new Led(BrokenLeaders.COUNTS_ONLY_THE_AGREED)),
    COMMITS_BELOW_THE_MINIMUM(() -> new Led(BrokenLeaders.COMMITS_BELOW_THE_MINIMUM)),
    VOUCHES_FOR_ANY_LIFE(() -> new Led(BrokenLeaders.VOUCHES_FOR_ANY_LIFE)),
    FORGETS_WHERE_ITS_REIGN_BEGAN(() -> new Led(BrokenLeaders.FORGETS_WHERE_ITS_REIGN_BEGAN)),
    LETS_LAGGARDS_JOIN(() -> new Led(BrokenLeaders.LETS_LAGGARDS_JOIN)),
    FORGETS_A_PROPOSAL_OVER_OLD_NEWS(() -> new Led(BrokenLeaders.FORGETS_A_PROPOSAL_OVER_OLD_NEWS)),
    COUNTS_UNKNOWN_LIVES(() -> new Led(BrokenLeaders.COUNTS_UNKNOWN_LIVES));

    @SuppressWarnings("ImmutableEnumChecker") // the constructors of rules, nothing else
    private final Supplier<Rules> rules;

    Sabotage(Supplier<Rules> rules) {
        this.rules = rules;
    }

    /** For one simulation. */
    Rules rules() {
        return rules.get();
    }

    private static @Nullable FetchPosition withoutEpoch(@Nullable FetchPosition position) {
        return position == null ? null : withEpoch(position, -1);
    }

    private static FetchPosition withEpochOf(ReplicaLog log, FetchPosition asked) {
        return withEpoch(asked, log.latestEpoch());
    }

    private static FetchPosition withEpoch(FetchPosition position, int epoch) {
        return new FetchPosition(
                position.leaderId(),
                position.leaderEpoch(),
                position.fetchOffset(),
                epoch,
                position.logStartOffset(),
                position.highWatermark());
    }

    private static final class TruncatesToTheHighWatermark extends Rules {
        @Override
        public long firstFetchOffset(FollowerReplica follower, ReplicaLog log) {
            return follower.highWatermark();
        }

        @Override
        public @Nullable FetchPosition ask(FollowerReplica follower, ReplicaLog log) {
            return withoutEpoch(follower.nextFetch(log));
        }

        @Override
        public FollowerStep onAnswer(
                FollowerReplica follower, FetchPosition asked, LeaderAnswer answer, ReplicaLog log) {
            return follower.onAnswer(withEpochOf(log, asked), answer, log);
        }
    }

    private static final class BelievesAnOffset extends Rules {
        private final Map<FollowerReplica, Integer> reconciledInEpoch = new HashMap<>();

        @Override
        public @Nullable FetchPosition ask(FollowerReplica follower, ReplicaLog log) {
            FetchPosition position = follower.nextFetch(log);
            boolean reconciled = reconciledInEpoch.getOrDefault(follower, -1) == follower.leaderEpoch();
            return reconciled ? withoutEpoch(position) : position;
        }

        @Override
        public FollowerStep onAnswer(
                FollowerReplica follower, FetchPosition asked, LeaderAnswer answer, ReplicaLog log) {
            EpochEnd diverging = answer.diverging();
            if (answer.refusal() == null) {
                reconciledInEpoch.put(follower, asked.leaderEpoch());
            }
            if (diverging == null) {
                return follower.onAnswer(withEpochOf(log, asked), answer, log);
            }
            EpochEnd believed = new EpochEnd(log.latestEpoch(), diverging.offset());
            return follower.onAnswer(
                    withEpochOf(log, asked),
                    new LeaderAnswer(null, answer.highWatermark(), answer.logStartOffset(), believed),
                    log);
        }
    }

    private static final class Led extends Rules {
        private final BrokenLeaders kind;

        Led(BrokenLeaders kind) {
            this.kind = kind;
        }

        @Override
        public LeaderReplica lead(
                int id,
                Leadership leadership,
                Membership membership,
                ReplicaSettings settings,
                LogBounds log,
                long nowMs) {
            return kind.lead(id, leadership, membership, settings, log, nowMs);
        }
    }
}
