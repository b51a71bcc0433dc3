package io.highwater.broker.peer;

import io.highwater.broker.config.LiveConfig;
import io.highwater.broker.metrics.FetcherMetrics.Fetcher;
import io.highwater.broker.partition.Clock;
import io.highwater.broker.partition.FollowerFeed;
import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.ReplicationThrottle;
import io.highwater.broker.partition.RoleView;
import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.Detour;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;

/**
 * Who follows whom: gives each partition that follows to one of {@code num.replica.fetchers} fetchers of its leader, and takes it away again.
 * A fetcher exists as long as it has partitions. Any thread; changes under its monitor.
 */
public final class ReplicaFetchers implements FollowerFeed, AutoCloseable {
    private final VertxInternal vertx;
    private final LiveConfig config;
    private final PeerSettings settings;
    private final Supplier<ClusterImage> image;
    private final LongSupplier brokerEpoch;
    private final ReplicationThrottle throttle;
    private final Detour detour;
    private final Clock clock;
    private final NetClient client;
    private final Map<Source, Team> fetchers = new HashMap<>();
    private final Map<Partition, Source> assigned = new HashMap<>();
    private boolean closed;

    /** A fetcher among those of one leader. */
    private record Source(int leaderId, int number) {}

    private static final class Team {
        final ReplicaFetcher fetcher;
        int size;

        Team(ReplicaFetcher fetcher) {
            this.fetcher = fetcher;
        }
    }

    /**
     * Nobody follows yet.
     *
     * @param vertx whose event loops the fetchers live on
     * @param image the newest
     * @param brokerEpoch of this broker's registration, -1 before it
     * @param throttle of what followers take
     * @param detour where connections to leaders lead
     */
    public ReplicaFetchers(
            Vertx vertx,
            LiveConfig config,
            Supplier<ClusterImage> image,
            LongSupplier brokerEpoch,
            ReplicationThrottle throttle,
            Detour detour,
            Clock clock) {
        this.vertx = (VertxInternal) vertx;
        this.config = config;
        this.settings = PeerSettings.of(config.current());
        this.image = image;
        this.brokerEpoch = brokerEpoch;
        this.throttle = throttle;
        this.detour = detour;
        this.clock = clock;
        this.client = vertx.createNetClient(sockets(settings));
    }

    /** What the sockets to leaders are to be like. */
    static NetClientOptions sockets(PeerSettings settings) {
        NetClientOptions options = new NetClientOptions()
                .setTcpNoDelay(true)
                .setTcpKeepAlive(true)
                .setConnectTimeout(Math.max(1, settings.socketTimeoutMs()));
        if (settings.receiveBufferBytes() > 0) {
            options.setReceiveBufferSize(settings.receiveBufferBytes());
        }
        return options;
    }

    @Override
    public synchronized void onRoleChanged(Partition partition) {
        RoleView role = partition.role();
        Source before = assigned.get(partition);
        Source now = closed || role.leading() || role.leaderId() < 0
                ? null
                : new Source(role.leaderId(), number(partition.topicPartition()));
        if (before != null && !before.equals(now)) {
            assigned.remove(partition);
            leave(before, partition);
        }
        if (now != null) {
            boolean moved = !now.equals(before);
            Team team = fetchers.computeIfAbsent(now, source -> new Team(fetcher(source)));
            if (moved) {
                assigned.put(partition, now);
                team.size++;
            }
            team.fetcher.follow(partition);
        }
    }

    private void leave(Source source, Partition partition) {
        Team team = fetchers.get(source);
        if (team == null) {
            return;
        }
        team.fetcher.leave(partition);
        if (--team.size == 0) {
            fetchers.remove(source);
            team.fetcher.close();
        }
    }

    /** Kafka's choice, so that a partition's records come the same way for anybody who compares. */
    private int number(TopicPartition partition) {
        int hash = 31 * partition.topic().hashCode() + partition.partition();
        return Utils.abs(hash) % config.current().getInt("num.replica.fetchers");
    }

    private ReplicaFetcher fetcher(Source source) {
        EventLoop loop = vertx.nettyEventLoopGroup().next();
        Context context = vertx.contextBuilder().withEventLoop(loop).build();
        LeaderCall.Neighbourhood neighbourhood = new LeaderCall.Neighbourhood(
                () -> address(source.leaderId()), () -> image.get().finalizedFeature("metadata.version"), brokerEpoch);
        LeaderCall call =
                new LeaderCall(source.leaderId(), source.number(), context, loop, client, neighbourhood, settings);
        return new ReplicaFetcher(call, settings, throttle, clock);
    }

    /** The fetchers there are. Any thread. */
    public synchronized List<Fetcher> sample() {
        List<Fetcher> samples = new ArrayList<>();
        fetchers.forEach((source, team) -> samples.add(
                new Fetcher(source.leaderId(), source.number(), team.fetcher.requests(), team.fetcher.bytes())));
        return samples;
    }

    private Optional<Node> address(int brokerId) {
        BrokerView broker = image.get().broker(brokerId);
        return broker == null
                ? Optional.empty()
                : broker.node(settings.listener()).map(detour::toward);
    }

    /** Nobody follows any more: connections are closed, answers under way mean nothing. */
    @Override
    public synchronized void close() {
        closed = true;
        assigned.clear();
        fetchers.values().forEach(team -> team.fetcher.close());
        fetchers.clear();
        var unused = client.close();
    }
}
