package io.highwater.broker.boot;

import io.highwater.broker.api.GroupApi;
import io.highwater.broker.api.RequestRouter;
import io.highwater.broker.api.cluster.ClusterApis;
import io.highwater.broker.api.cluster.ClusterNeeds;
import io.highwater.broker.api.cluster.TopicAutoCreation;
import io.highwater.broker.api.configs.ConfigsApis;
import io.highwater.broker.api.configs.ConfigsNeeds;
import io.highwater.broker.api.configs.DynamicConfigListener;
import io.highwater.broker.api.fetch.FetchHandler;
import io.highwater.broker.api.fetch.FetchServices;
import io.highwater.broker.api.fetch.FetchSessions;
import io.highwater.broker.api.fetch.ReadReplicas;
import io.highwater.broker.api.records.ProducerIds;
import io.highwater.broker.api.records.RecordsApis;
import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.LiveConfig;
import io.highwater.broker.disk.DiskWorkers;
import io.highwater.broker.group.GroupFeed;
import io.highwater.broker.group.LedOffsets;
import io.highwater.broker.metrics.BrokerStateMetrics;
import io.highwater.broker.metrics.FetchSessionMetrics;
import io.highwater.broker.metrics.FetcherMetrics;
import io.highwater.broker.metrics.GroupMetrics;
import io.highwater.broker.partition.ArrivingReplica;
import io.highwater.broker.partition.Clock;
import io.highwater.broker.partition.DeadlineWheel;
import io.highwater.broker.partition.DirectoryView;
import io.highwater.broker.partition.ImageMembership;
import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.PartitionServices;
import io.highwater.broker.partition.Partitions;
import io.highwater.broker.partition.ReplicationThrottle;
import io.highwater.broker.peer.ReplicaFetchers;
import io.highwater.controlplane.ControlPlane;
import io.highwater.coordination.group.GroupCoordination;
import io.highwater.storage.dir.LogDirectory;
import io.highwater.storage.log.BatchValidator;
import io.highwater.wire.api.ListenerRole;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;

/**
 * What makes a node a broker: partitions, groups, and the handlers of all requests, each built once, from the disk up to the router. Nothing
 * happens before {@link #follow}.
 */
final class BrokerRooms {
    private final NodeParts node;
    private final LiveConfig config;
    private final DiskWorkers disk;
    private final DeadlineWheel deadlines;
    private final Partitions partitions;
    private final GroupCoordination groups;
    private final MetadataFeed feed;
    private final ReadReplicas readReplicas;
    private final RequestRouter router;

    /** Builds them all; each puts its way back onto {@code steps}. */
    BrokerRooms(NodeParts node, ViewRoom view, Steps steps, StopRequest stopRequest) {
        this.node = node;
        BrokerConfig atStart = node.config();
        ControlPlane controlPlane = node.controlPlane();
        config = new LiveConfig(atStart);
        NetworkSettings.follow(config, node.network());
        readReplicas = ReadReplicas.of(
                atStart.getString("replica.selector.class"), atStart.nodeId(), atStart.raw(), controlPlane::image);
        steps.done("the replica selector", readReplicas::close);
        disk = new DiskWorkers(atStart.getInt("background.threads"));
        steps.done("disk workers", disk::close);
        deadlines = new DeadlineWheel();
        steps.done("deadlines", deadlines::close);

        ReplicaFetchers fetchers = new ReplicaFetchers(
                node.vertx(),
                config,
                controlPlane::image,
                () -> controlPlane.lifecycle().brokerEpoch(),
                throttle("follower"),
                node.seams().detour(),
                Clock.SYSTEM);
        steps.done("fetchers", fetchers::close);
        node.metrics().add(new FetcherMetrics(fetchers::sample));

        PartitionChronicle chronicle = new PartitionChronicle(
                view.journal(), view.isrHistory(), node.metrics().replicas());
        partitions = new Partitions(
                config,
                controlPlane::image,
                new PartitionServices(
                        atStart.nodeId(),
                        Clock.SYSTEM,
                        deadlines,
                        disk,
                        new BatchValidator(),
                        new ImageMembership(controlPlane::image),
                        new ControllerLink(controlPlane, () -> config.current().getLong("log.dir.failure.timeout.ms")),
                        fetchers,
                        node.seams().events().apply(chronicle),
                        node.metrics()),
                () -> stopRequest.byFault("no log directory can be used any more", null));
        node.metrics().replicas().watch(partitions::sample, partitions::offlineCount);
        node.metrics()
                .disk()
                .watch(
                        () -> partitions.directories().stream()
                                .collect(Collectors.toMap(DirectoryView::path, DirectoryView::online)),
                        () -> partitions.directories().stream()
                                .flatMap(directory -> directory.arriving().stream())
                                .mapToLong(ArrivingReplica::offsetLag)
                                .max()
                                .orElse(0));
        steps.done("partitions", () -> partitions.close(controlPlane.lifecycle().brokerEpoch()), partitions::abandon);

        groups = new GroupCoordination(
                atStart.nodeId(),
                atStart.raw(),
                new LedOffsets(partitions, new OffsetsBatchLimit(config, controlPlane::image)));
        steps.done("groups", groups::close);
        config.onChange(now -> groups.onBrokerSettings(GroupSettings.live(now)));
        node.metrics().add(new GroupMetrics(view.groupWatch(groups, partitions)));
        node.metrics()
                .add(new BrokerStateMetrics(
                        () -> controlPlane.lifecycle().state().code()));
        GroupFeed groupFeed = new GroupFeed(groups);
        chronicle.tell(groupFeed);

        router = router();
        feed = new MetadataFeed(
                new DynamicConfigListener(config),
                partitions,
                groups,
                groupFeed,
                node.metrics().traffic(),
                new IsrWatch(atStart.nodeId(), view.journal(), view.isrHistory()));
        steps.done("following the metadata", feed::stop);
        view.serves(config, partitions, groups);
    }

    /** What answers the requests of clients and other brokers. */
    RequestRouter clientRouter() {
        return router;
    }

    /**
     * Takes the directories and the cluster's metadata, from now on.
     *
     * @return the broker epoch of the process before, -1 if it did not end in order
     * @throws IOException if a directory cannot be used
     */
    long follow(List<LogDirectory> directories) throws IOException {
        long previousEpoch = partitions.use(directories);
        var unused = node.controlPlane().listen(feed);
        return previousEpoch;
    }

    /** Completes when all logs are open and their roles are those of the first image. */
    Future<Void> loaded() {
        return partitions.loaded();
    }

    /** The replica hosted here, or null. */
    @Nullable
    Partition partition(TopicPartition partition) {
        return partitions.lookup(partition.topic(), partition.partition()).partition();
    }

    private RequestRouter router() {
        ControlPlane controlPlane = node.controlPlane();
        RequestRouter.Builder routes = RequestRouter.builder(ListenerRole.BROKER);
        RecordsApis.addTo(
                routes,
                partitions,
                controlPlane::image,
                disk,
                new ProducerIds(controlPlane::allocateProducerIds),
                () -> config.current().getInt("transaction.max.timeout.ms"));
        routes.handle(ApiKeys.FETCH, FetchRequestData.class, fetchHandler());
        ClusterApis.addTo(
                routes,
                new ClusterNeeds(
                        node.identity().clusterId(),
                        config,
                        controlPlane,
                        partitions::isServing,
                        (delayMs, task) -> disk.after(delayMs, "a wait for a leader", task::run)),
                new TopicAutoCreation(controlPlane, config));
        ConfigsApis.addTo(routes, new ConfigsNeeds(config, controlPlane));
        GroupApi.addTo(
                routes,
                groups,
                controlPlane,
                node.config().getList("group.coordinator.rebalance.protocols").contains("consumer"),
                node.config().getInt("request.timeout.ms"));
        return routes.build(node.versions());
    }

    /** Of one side, {@code leader} or {@code follower}. */
    private ReplicationThrottle throttle(String side) {
        BrokerConfig atStart = node.config();
        String list = side + ".replication.throttled.replicas";
        String rate = side + ".replication.throttled.rate";
        return new ReplicationThrottle(
                atStart.nodeId(),
                () -> config.current().getLong(rate),
                topic -> node.controlPlane()
                        .image()
                        .config(new ConfigResource(ConfigResource.Type.TOPIC, topic))
                        .get(list),
                atStart.getInt("replication.quota.window.num"),
                TimeUnit.SECONDS.toMillis(atStart.getInt("replication.quota.window.size.seconds")),
                Clock.SYSTEM);
    }

    private FetchHandler fetchHandler() {
        EventLoops loops = new EventLoops(node.vertx());
        FetchSessions sessions = new FetchSessions(
                node.config().getInt("max.incremental.fetch.session.cache.slots"), Clock.SYSTEM::monotonicMs);
        node.metrics().add(new FetchSessionMetrics(sessions::size, sessions::partitions, sessions::evictions));
        return new FetchHandler(
                new FetchServices(
                        partitions,
                        node.controlPlane()::image,
                        deadlines,
                        disk,
                        () -> config.current().getInt("fetch.max.bytes"),
                        readReplicas,
                        throttle("leader"),
                        node.metrics().traffic(),
                        node.metrics().waits(),
                        loops::here),
                sessions);
    }
}
