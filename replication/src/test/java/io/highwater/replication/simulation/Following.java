package io.highwater.replication.simulation;

import io.highwater.replication.FetchPosition;
import io.highwater.replication.FollowerReplica;
import io.highwater.replication.FollowerStep;
import io.highwater.replication.LogBounds;
import io.highwater.replication.simulation.Network.Channel;
import org.jspecify.annotations.Nullable;

/** A broker as a follower: carries out what a {@link FollowerReplica} decides, one fetch after the other. */
final class Following {
    private static final int BACKOFF_MS = 60;

    private final Broker broker;
    private final Cluster cluster;
    private final FollowerReplica replica;

    /** One question at a time. */
    private boolean asking;

    Following(Broker broker, FollowerReplica replica) {
        this.broker = broker;
        this.cluster = broker.cluster;
        this.replica = replica;
    }

    void begin() {
        if (replica.leaderId() == -1) {
            cluster.say("%d knows that nobody leads in epoch %d", broker.id, replica.leaderEpoch());
        } else {
            cluster.say("%d follows %d in epoch %d", broker.id, replica.leaderId(), replica.leaderEpoch());
        }
        long offset = cluster.rules.firstFetchOffset(replica, broker.log());
        if (offset < broker.log().logEndOffset()) {
            truncate(offset);
        }
        resume();
    }

    void onNews(PartitionState state) {
        replica.onFollowing(state.leaderEpoch(), state.partitionEpoch());
        resume();
    }

    private void resume() {
        if (cluster.settings.autonomous()) {
            fetch();
        }
    }

    /** Asks the leader, if there is one to ask and no question is under way. */
    void fetch() {
        FetchPosition position = asking || isOver() ? null : cluster.rules.ask(replica, broker.log());
        if (position == null) {
            return;
        }
        asking = true;
        Broker leader = cluster.broker(position.leaderId());
        long brokerEpoch = broker.brokerEpoch();
        cluster.network.<Fetched>call(
                broker,
                leader,
                Channel.DATA,
                reply -> leader.onFetch(broker.id, brokerEpoch, position, reply),
                fetched -> onFetched(position, fetched),
                () -> next(BACKOFF_MS));
    }

    private void onFetched(FetchPosition asked, Fetched fetched) {
        if (isOver()) {
            return;
        }
        FollowerStep step = cluster.rules.onAnswer(replica, asked, fetched.answer(), broker.log());
        switch (step.kind()) {
            case IGNORE -> next(0);
            case APPEND -> {
                append(fetched);
                next(0);
            }
            case TRUNCATE -> {
                truncate(step.offset());
                next(0);
            }
            case RESTART -> {
                restartAt(step.offset());
                next(0);
            }
            case ASK_BOUNDS -> askBounds(asked);
            case BACK_OFF -> next(BACKOFF_MS);
            case HALT -> asking = false;
        }
    }

    private void askBounds(FetchPosition asked) {
        Broker leader = cluster.broker(asked.leaderId());
        cluster.network.<@Nullable LogBounds>call(
                broker,
                leader,
                Channel.DATA,
                reply -> leader.onAskedForBounds(asked.leaderEpoch(), reply),
                bounds -> {
                    if (bounds != null && !isOver()) {
                        onBounds(asked, bounds);
                    }
                    next(bounds == null ? BACKOFF_MS : 0);
                },
                () -> next(BACKOFF_MS));
    }

    private void onBounds(FetchPosition asked, LogBounds leader) {
        FollowerStep step = replica.onLeaderBounds(asked, leader.logStartOffset(), leader.logEndOffset(), broker.log());
        switch (step.kind()) {
            case TRUNCATE -> truncate(step.offset());
            case RESTART -> restartAt(step.offset());
            case IGNORE, BACK_OFF, APPEND, ASK_BOUNDS, HALT -> {}
        }
    }

    private void append(Fetched fetched) {
        SimulatedLog log = broker.log();
        long before = log.logEndOffset();
        for (Entry entry : fetched.records()) {
            log.append(entry);
            cluster.history.onAppended(broker, log.logEndOffset() - 1, entry, false);
        }
        replica.onFetched(fetched.answer().highWatermark(), log.logStartOffset(), log.logEndOffset());
        long leaderStart = Math.min(fetched.answer().logStartOffset(), log.logEndOffset());
        if (leaderStart > log.logStartOffset()) {
            log.raiseStart(leaderStart);
            replica.onLogStartRaised(leaderStart);
        }
        if (!fetched.records().isEmpty()) {
            cluster.say("%d stores %s", broker.id, log.describe(before, log.logEndOffset()));
        }
        if (replica.highWatermark() != broker.highWatermark()) {
            cluster.say("%d hears of high watermark %d", broker.id, replica.highWatermark());
        }
        broker.setHighWatermark(replica.highWatermark());
    }

    private void truncate(long offset) {
        SimulatedLog log = broker.log();
        cluster.say("%d cuts %s", broker.id, log.describe(offset, log.logEndOffset()));
        cluster.history.onTruncating(broker, replica.leaderId(), offset);
        log.truncateTo(offset);
        replica.onTruncated(offset);
        broker.setHighWatermark(replica.highWatermark());
    }

    private void restartAt(long offset) {
        cluster.say("%d drops its log and starts at %d", broker.id, offset);
        broker.log().restartAt(offset);
        replica.onRestartedAt(offset);
        broker.setHighWatermark(offset);
    }

    private void next(long delayMs) {
        asking = false;
        if (cluster.settings.autonomous()) {
            broker.later(delayMs, this::fetch);
        }
    }

    private boolean isOver() {
        return broker.following() != this;
    }

    int leaderId() {
        return replica.leaderId();
    }

    int leaderEpoch() {
        return replica.leaderEpoch();
    }
}
