package io.highwater.replication.simulation;

import io.highwater.replication.FetchPosition;
import io.highwater.replication.FollowerReplica;
import io.highwater.replication.LeaderReplica;
import io.highwater.replication.Leadership;
import io.highwater.replication.LogBounds;
import io.highwater.replication.Membership;
import io.highwater.replication.Refusal;
import io.highwater.replication.ReplicaSettings;
import io.highwater.replication.simulation.Network.Channel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One broker process around the replica under test: what {@code broker.partition} and {@code broker.peer} are in the product. */
final class Broker extends Node {
    final Disk disk = new Disk();

    private long skewMs;
    private long brokerEpoch;
    private boolean stopping;
    private @Nullable Image image;

    /** Always the newest that this broker knows. */
    private final Membership membership = new Membership() {
        @Override
        public boolean isActive(int brokerId) {
            return image().isActive(brokerId);
        }

        @Override
        public long brokerEpoch(int brokerId) {
            return image().brokerEpoch(brokerId);
        }
    };

    /** At most one of these two. */
    private @Nullable Leading leading;

    private @Nullable Following following;

    /** Known to be committed; kept while roles come and go. */
    private long highWatermark;

    Broker(int id, Cluster cluster) {
        super(id, cluster);
    }

    @Override
    String title() {
        return "broker " + id;
    }

    // life and death

    void start() {
        boot();
        brokerEpoch = -1;
        stopping = false;
        image = null;
        leave();
        highWatermark = bounds(disk.highWatermark).highWatermark();
        long lastCleanEpoch = disk.cleanBrokerEpoch;
        disk.cleanBrokerEpoch = -1;
        cluster.say("%d starts: log %d..%d, high watermark %d", id, start(log()), end(log()), highWatermark);
        register(lastCleanEpoch);
        if (cluster.settings.autonomous()) {
            later(cluster.settings.maxLagMs() / 2, this::tick);
            later(1_000 + cluster.random.nextInt(4_000), this::flush);
            later(cluster.settings.heartbeatMs(), this::checkpoint);
        }
    }

    /** The process dies; its system and its disk live on. */
    void die() {
        if (isUp()) {
            cluster.history.onDied(this);
            halt();
            stop();
        }
    }

    /** The machine dies. */
    void losePower() {
        die();
        disk.loseUnflushed(cluster.random);
    }

    /** The disk dies, and the process with it. */
    void loseDisk() {
        cluster.history.onDied(this);
        if (isUp()) {
            halt();
            stop();
        }
        disk.wipe();
    }

    /** Asks to stop in good order; does so when the controller lets it. */
    void stopGently() {
        stopping = true;
    }

    private void stop() {
        leave();
        halt();
        cluster.network.onDied(this);
    }

    private void stopCleanly() {
        flush();
        checkpoint();
        disk.cleanBrokerEpoch = brokerEpoch;
        cluster.say("%d stops in good order", id);
        stop();
    }

    private void leave() {
        if (leading != null) {
            leading.end();
        }
        leading = null;
        following = null;
    }

    // the controller

    private void register(long lastCleanEpoch) {
        int life = life();
        cluster.network.<@Nullable Image>call(
                this,
                cluster.controller,
                Channel.HEARTBEATS,
                reply -> reply.accept(cluster.controller.register(id, life, lastCleanEpoch)),
                registered -> {
                    if (registered == null) {
                        later(cluster.settings.heartbeatMs(), () -> register(lastCleanEpoch));
                        return;
                    }
                    brokerEpoch = registered.broker(id).epoch();
                    onNews(registered);
                    heartbeat();
                },
                () -> later(cluster.settings.heartbeatMs(), () -> register(lastCleanEpoch)));
    }

    void heartbeat() {
        Image known = image;
        long version = known == null ? -1 : known.version();
        cluster.network.<Controller.@Nullable Pulse>call(
                this,
                cluster.controller,
                Channel.HEARTBEATS,
                reply -> reply.accept(cluster.controller.heartbeat(id, brokerEpoch, version, stopping)),
                pulse -> {
                    if (pulse != null) {
                        if (pulse.mayStop()) {
                            stopCleanly();
                            return;
                        }
                    }
                    scheduleHeartbeat();
                },
                this::scheduleHeartbeat);
    }

    private void scheduleHeartbeat() {
        if (cluster.settings.autonomous()) {
            later(cluster.settings.heartbeatMs(), this::heartbeat);
        }
    }

    /** Newer metadata; anything else is ignored, and all of it before this life is registered. */
    void onNews(Image news) {
        Image known = image;
        if (brokerEpoch == -1 || news.version() < brokerEpoch || (known != null && news.version() <= known.version())) {
            return;
        }
        image = news;
        PartitionState state = news.partition();
        if (known != null && known.partition().equals(state)) {
            return;
        }
        if (state.leader() == id) {
            lead(state);
        } else {
            follow(state);
        }
    }

    private void lead(PartitionState state) {
        Leadership leadership =
                new Leadership(state.leaderEpoch(), state.partitionEpoch(), state.replicas(), state.inSync());
        Leading leads = leading;
        if (leads != null) {
            leads.onLeadership(leadership);
            return;
        }
        following = null;
        log().startEpoch(state.leaderEpoch());
        LeaderReplica replica =
                cluster.rules.lead(id, leadership, membership, settings(), bounds(highWatermark), clockMs());
        leading = new Leading(this, replica);
        cluster.say("%d leads in epoch %d from offset %d on", id, state.leaderEpoch(), end(log()));
        cluster.history.onLeading(this, state.leaderEpoch());
        leading.settle();
    }

    private void follow(PartitionState state) {
        Following follows = following;
        if (follows != null && follows.leaderId() == state.leader()) {
            follows.onNews(state);
            return;
        }
        leave();
        FollowerReplica replica =
                new FollowerReplica(state.leader(), state.leaderEpoch(), state.partitionEpoch(), bounds(highWatermark));
        following = new Following(this, replica);
        following.begin();
    }

    // what others ask

    void onProduce(Produce request, Consumer<Produced> reply) {
        if (leading == null) {
            reply.accept(Produced.refused(Refusal.NOT_LEADER));
        } else {
            leading.onProduce(request, reply);
        }
    }

    void onFetch(int replicaId, long epochOfReplica, FetchPosition position, Consumer<Fetched> reply) {
        Refusal refusal = Refusal.of(position.leaderEpoch(), true, leaderEpoch(), leading != null);
        if (leading == null || refusal != null) {
            reply.accept(Fetched.refused(refusal == null ? Refusal.NOT_LEADER : refusal));
        } else {
            leading.onFetch(replicaId, epochOfReplica, position, reply);
        }
    }

    void onAskedForBounds(int leaderEpoch, Consumer<@Nullable LogBounds> reply) {
        Refusal refusal = Refusal.of(leaderEpoch, true, leaderEpoch(), leading != null);
        reply.accept(refusal == null ? bounds(highWatermark) : null);
    }

    /** A consumer's read: committed records only, from a leader or from a follower. */
    Fetched onRead(long offset) {
        if (image == null || offset < start(log()) || offset > end(log())) {
            return Fetched.refused(Refusal.OFFSET_OUT_OF_RANGE);
        }
        return Fetched.records(log().read(offset, highWatermark, 20), highWatermark, start(log()));
    }

    @Override
    void onDisconnected(Node peer) {
        if (leading != null) {
            leading.onDisconnected(peer.id);
        }
    }

    // time

    void tick() {
        if (leading != null) {
            leading.onTick();
        }
        if (cluster.settings.autonomous()) {
            later(cluster.settings.maxLagMs() / 2, this::tick);
        }
    }

    void flush() {
        log().flush();
        if (cluster.settings.autonomous()) {
            later(1_000 + cluster.random.nextInt(4_000), this::flush);
        }
    }

    void checkpoint() {
        disk.highWatermark = highWatermark;
        if (cluster.settings.autonomous()) {
            later(1_000, this::checkpoint);
        }
    }

    void jumpClock(long byMs) {
        skewMs += byMs;
    }

    // what it is

    /** This machine's own idea of time. */
    long clockMs() {
        return cluster.timeline.nowMs() + skewMs;
    }

    SimulatedLog log() {
        return disk.log;
    }

    long highWatermark() {
        return highWatermark;
    }

    void setHighWatermark(long newHighWatermark) {
        highWatermark = newHighWatermark;
    }

    long brokerEpoch() {
        return brokerEpoch;
    }

    int leaderEpoch() {
        return leading != null ? leading.leaderEpoch() : following != null ? following.leaderEpoch() : -1;
    }

    @Nullable
    Image known() {
        return image;
    }

    @Nullable
    Leading leading() {
        return leading;
    }

    @Nullable
    Following following() {
        return following;
    }

    ReplicaSettings settings() {
        return new ReplicaSettings(
                cluster.settings.minInSync(), cluster.settings.maxLagMs(), cluster.settings.disconnectGraceMs());
    }

    LogBounds bounds(long lastKnownHighWatermark) {
        return new LogBounds(start(log()), lastKnownHighWatermark, end(log()));
    }

    private Image image() {
        if (image == null) {
            throw new IllegalStateException(id + " has no metadata");
        }
        return image;
    }

    private static long start(SimulatedLog log) {
        return log.logStartOffset();
    }

    private static long end(SimulatedLog log) {
        return log.logEndOffset();
    }
}
