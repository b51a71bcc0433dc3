package io.highwater.broker.boot;

import io.highwater.broker.api.BrokerVersions;
import io.highwater.broker.api.BrokerVersions.FeatureRange;
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
import io.highwater.broker.api.records.ProducerIds;
import io.highwater.broker.api.records.RecordsApis;
import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.InvalidSettingException;
import io.highwater.broker.config.ListenerEndpoint;
import io.highwater.broker.config.LiveConfig;
import io.highwater.broker.disk.DiskWorkers;
import io.highwater.broker.group.GroupFeed;
import io.highwater.broker.group.LedOffsets;
import io.highwater.broker.http.HttpEndpoint;
import io.highwater.broker.metrics.Metrics;
import io.highwater.broker.net.Listener;
import io.highwater.broker.net.NetworkContext;
import io.highwater.broker.partition.Clock;
import io.highwater.broker.partition.DeadlineWheel;
import io.highwater.broker.partition.ImageMembership;
import io.highwater.broker.partition.PartitionServices;
import io.highwater.broker.partition.Partitions;
import io.highwater.controlplane.BrokerLifecycle;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.ControlPlane;
import io.highwater.controlplane.ControlPlaneException;
import io.highwater.controlplane.NodeFormat;
import io.highwater.controlplane.NodeIdentity;
import io.highwater.controlplane.NodeSettings;
import io.highwater.coordination.group.GroupCoordination;
import io.highwater.storage.dir.DirectoryRefusedException;
import io.highwater.storage.dir.LogDirectory;
import io.highwater.storage.log.BatchValidator;
import io.highwater.wire.api.ListenerRole;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * One node: builds every object once, starts it in an order in which nothing is asked before it can answer, and stops it in the reverse
 * order. No static state, so that several run in one JVM. Main thread only, but for the getters.
 */
public final class Broker {
    /** Longest wait for a socket to open or close, or for event loops to end. */
    private static final long SOCKET_WAIT_MS = 10_000;

    /** Longest wait for the controller to take leaderships away; of a single node there is nobody to give them to. */
    private static final long LEAVE_WAIT_MS = 2_000;

    private final BrokerConfig config;
    private final String origin;
    private final Waits waits;
    private final Steps steps = new Steps();
    private final Map<String, Integer> ports = new LinkedHashMap<>();
    private final Metrics metrics = new Metrics();

    private volatile boolean serving;

    private Broker(BrokerConfig config, String origin, StopRequest stopRequest) {
        this.config = config;
        this.origin = origin;
        this.waits = new Waits(stopRequest);
    }

    /**
     * Starts a node and returns when it serves.
     *
     * @param origin where the settings come from, for people
     * @param stopRequest answered by the caller, once this has returned; also asked between the steps of the start
     * @throws StartRefusedException if it cannot start, or is asked to stop meanwhile; then nothing of it runs
     */
    public static Broker start(BrokerConfig config, String origin, StopRequest stopRequest) {
        Broker broker = new Broker(config, origin, stopRequest);
        boolean started = false;
        try {
            broker.start(stopRequest);
            started = true;
            return broker;
        } catch (ControlPlaneException | InvalidSettingException | DirectoryRefusedException | IOException e) {
            throw new StartRefusedException(Reason.of(e), e);
        } finally {
            if (!started) {
                broker.stop();
            }
        }
    }

    /** The port of each listener, by its name; that of HTTP, if it is on, by {@code HTTP}. */
    public Map<String, Integer> ports() {
        return ports;
    }

    private void start(StopRequest stopRequest) throws DirectoryRefusedException, IOException {
        long startNanos = System.nanoTime();
        steps.done("metrics", metrics::close);
        try (HeldPorts held = HeldPorts.of(config.listeners())) {
            ports.putAll(held.byListener());
            List<LogDirectory> directories = openDirectories();
            NodeSettings node = Node.settings(config, ports);
            NodeIdentity identity = NodeFormat.readOrFormat(node, config.getString("highwater.cluster.id"));
            for (LogDirectory directory : directories) {
                directory.refreshIdentity();
            }

            Vertx vertx = startVertx();
            NetworkContext network = NetworkSettings.context(config, metrics);
            startHttp(vertx);

            ControlPlane controlPlane = ControlPlane.create(node, identity, stopRequest::byFault);
            steps.done("the control plane", controlPlane::close);
            Supplier<BrokerVersions> versions = () -> versions(identity, controlPlane.image());
            RequestRouter controllerRouter = ControllerRouter.of(controlPlane, versions);
            for (ListenerEndpoint endpoint : config.controllerListeners()) {
                open(endpoint, held, vertx, controllerRouter, network);
            }
            controlPlane.start();
            steps.done("being in the quorum", controlPlane::leaveQuorum);
            if (config.isBroker()) {
                startBroker(vertx, identity, controlPlane, directories, held, network, versions, stopRequest);
            }

            serving = true;
            new StartupSummary(config, origin, identity, ports).log(startNanos);
        }
    }

    private void startBroker(
            Vertx vertx,
            NodeIdentity identity,
            ControlPlane controlPlane,
            List<LogDirectory> directories,
            HeldPorts held,
            NetworkContext network,
            Supplier<BrokerVersions> versions,
            StopRequest stopRequest)
            throws IOException {
        LiveConfig live = new LiveConfig(config);
        NetworkSettings.follow(live, network);
        BrokerLifecycle lifecycle = controlPlane.lifecycle();
        DiskWorkers disk = new DiskWorkers(config.getInt("background.threads"));
        steps.done("disk workers", disk::close);
        DeadlineWheel deadlines = new DeadlineWheel();
        steps.done("deadlines", deadlines::close);
        PartitionChronicle chronicle = new PartitionChronicle();
        Partitions partitions = new Partitions(
                live,
                controlPlane::image,
                new PartitionServices(
                        config.nodeId(),
                        Clock.SYSTEM,
                        deadlines,
                        disk,
                        new BatchValidator(),
                        new ImageMembership(controlPlane::image),
                        new ControllerLink(controlPlane, () -> live.current().getLong("log.dir.failure.timeout.ms")),
                        chronicle),
                () -> stopRequest.byFault("no log directory can be used any more", null));
        long previousEpoch = partitions.use(directories);
        steps.done("partitions", () -> partitions.close(lifecycle.brokerEpoch()));
        GroupCoordination groups = new GroupCoordination(
                config.nodeId(),
                config.raw(),
                new LedOffsets(partitions, new OffsetsBatchLimit(live, controlPlane::image)));
        steps.done("groups", groups::close);
        GroupFeed groupFeed = new GroupFeed(groups);
        chronicle.tell(groupFeed);

        RequestRouter.Builder router = RequestRouter.builder(ListenerRole.BROKER);
        RecordsApis.addTo(
                router,
                partitions,
                controlPlane::image,
                disk,
                new ProducerIds(controlPlane::allocateProducerIds),
                () -> live.current().getInt("transaction.max.timeout.ms"),
                metrics.traffic());
        EventLoops loops = new EventLoops(vertx);
        FetchServices fetches = new FetchServices(
                partitions,
                controlPlane::image,
                deadlines,
                disk,
                () -> live.current().getInt("fetch.max.bytes"),
                metrics.traffic(),
                loops::here);
        FetchSessions sessions = new FetchSessions(
                config.getInt("max.incremental.fetch.session.cache.slots"), Clock.SYSTEM::monotonicMs);
        router.handle(ApiKeys.FETCH, FetchRequestData.class, new FetchHandler(fetches, sessions));
        ClusterApis.addTo(
                router,
                new ClusterNeeds(
                        identity.clusterId(),
                        live,
                        controlPlane,
                        partitions::isServing,
                        (delayMs, task) -> disk.after(delayMs, "a wait for a leader", task::run)),
                new TopicAutoCreation(controlPlane, live));
        ConfigsApis.addTo(router, new ConfigsNeeds(live, controlPlane));
        GroupApi.addTo(
                router,
                groups,
                controlPlane,
                config.getList("group.coordinator.rebalance.protocols").contains("consumer"),
                config.getInt("request.timeout.ms"));
        RequestRouter clientRouter = router.build(versions);

        var unused = controlPlane.listen(
                new MetadataFeed(new DynamicConfigListener(live), partitions, groups, groupFeed, metrics.traffic()));
        waits.untilDone(lifecycle.register(previousEpoch));
        steps.done("leading", () -> waits.until(lifecycle.beginControlledShutdown(), LEAVE_WAIT_MS));
        waits.untilDone(lifecycle.caughtUp());
        waits.untilDone(partitions.loaded().toCompletionStage());
        for (ListenerEndpoint endpoint : config.brokerListeners()) {
            open(endpoint, held, vertx, clientRouter, network);
        }
        waits.untilDone(lifecycle.readyToUnfence());
    }

    /** Stops whatever runs, in the reverse order of the start. Blocks; idempotent; a step that fails is logged and the next one taken. */
    public void stop() {
        serving = false;
        steps.undo();
    }

    private List<LogDirectory> openDirectories() throws DirectoryRefusedException {
        List<LogDirectory> directories =
                LogDirectory.openAll(config.logDirs(), config.nodeId(), config.getString("highwater.cluster.id"));
        for (LogDirectory directory : directories) {
            steps.done("use of " + directory, directory::close);
        }
        return directories;
    }

    private Vertx startVertx() {
        // Nothing is read from the class path or cached in files.
        Vertx vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(Runtime.getRuntime().availableProcessors())
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        steps.done("the event loops", () -> waits.until(vertx.close(), SOCKET_WAIT_MS));
        return vertx;
    }

    private void startHttp(Vertx vertx) throws IOException {
        if (config.httpPort() >= 0) {
            HttpEndpoint http = new HttpEndpoint(vertx, metrics, () -> serving ? null : "it is starting or stopping");
            ports.put("HTTP", waits.until(http.start(config.httpHost(), config.httpPort()), SOCKET_WAIT_MS));
            steps.done("HTTP", () -> waits.until(http.close(), SOCKET_WAIT_MS));
        }
    }

    private void open(
            ListenerEndpoint endpoint, HeldPorts held, Vertx vertx, RequestRouter router, NetworkContext network)
            throws IOException {
        int port = held.release(endpoint.name());
        Listener listener = new Listener(vertx, NetworkSettings.listener(config, endpoint, port), router, network);
        waits.until(listener.start(), SOCKET_WAIT_MS);
        steps.done("listener " + endpoint.name(), () -> waits.until(listener.close(), SOCKET_WAIT_MS));
    }

    private BrokerVersions versions(NodeIdentity identity, ClusterImage image) {
        Map<String, FeatureRange> supported = new HashMap<>();
        ControlPlane.supportedFeatures()
                .forEach((name, range) -> supported.put(name, new FeatureRange(range.min(), range.max())));
        return new BrokerVersions(
                identity.clusterId(), identity.nodeId(), supported, image.finalizedFeatures(), image.offset());
    }
}
