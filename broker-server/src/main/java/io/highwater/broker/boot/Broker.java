package io.highwater.broker.boot;

import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.api.BrokerVersions;
import io.highwater.broker.api.BrokerVersions.FeatureRange;
import io.highwater.broker.api.RequestRouter;
import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.InvalidSettingException;
import io.highwater.broker.config.ListenerEndpoint;
import io.highwater.broker.fencing.EarlyFencing;
import io.highwater.broker.fencing.FencingSettings;
import io.highwater.broker.http.HttpEndpoint;
import io.highwater.broker.metrics.ClusterMetrics;
import io.highwater.broker.metrics.ControlPlaneMetrics;
import io.highwater.broker.metrics.Dialects;
import io.highwater.broker.metrics.LoopMetrics;
import io.highwater.broker.metrics.Metrics;
import io.highwater.broker.net.Listener;
import io.highwater.broker.net.NetworkContext;
import io.highwater.broker.partition.Clock;
import io.highwater.controlplane.BrokerLifecycle;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.ControlPlane;
import io.highwater.controlplane.ControlPlaneException;
import io.highwater.controlplane.NodeFormat;
import io.highwater.controlplane.NodeIdentity;
import io.highwater.storage.dir.DirectoryRefusedException;
import io.highwater.storage.dir.LogDirectory;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node. It starts in an order in which nothing is asked before it can answer, and stops in the reverse order: ports and directories are
 * taken before anything is written, the controller before the broker that registers with it, logs before the listeners of clients. No static
 * state, so that several run in one JVM. One thread at a time, but for the getters.
 */
public final class Broker {
    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);

    /** Longest wait for a socket to open or close, or for event loops to end. */
    private static final long SOCKET_WAIT_MS = 10_000;

    /** Longest wait for the controller to take leaderships away: it lets go when the others have told, with a heartbeat each, that they know. */
    private static final long LEAVE_WAIT_MS = 5_000;

    /** The same where there is nobody to give them to: only a controller that answers no more is waited for. */
    private static final long LEAVE_ALONE_WAIT_MS = 2_000;

    private final BrokerConfig config;
    private final String origin;
    private final StopRequest stopRequest;
    private final Seams seams;
    private final Waits waits;
    private final Steps steps = new Steps();
    private final Readiness readiness = new Readiness();
    private final Map<String, Integer> ports = new LinkedHashMap<>();

    private @Nullable Inside inside;

    private Broker(BrokerConfig config, String origin, StopRequest stopRequest, Seams seams) {
        this.config = config;
        this.origin = origin;
        this.stopRequest = stopRequest;
        this.seams = seams;
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
        return start(config, origin, stopRequest, Seams.NONE);
    }

    /**
     * As {@link #start(BrokerConfig, String, StopRequest)}, for a test in the same JVM.
     *
     * @param seams where it takes hold
     */
    public static Broker start(BrokerConfig config, String origin, StopRequest stopRequest, Seams seams) {
        Broker broker = new Broker(config, origin, stopRequest, seams);
        boolean started = false;
        try {
            broker.start();
            started = true;
            return broker;
        } catch (ControlPlaneException | InvalidSettingException | DirectoryRefusedException | IOException e) {
            throw new StartRefusedException(Reason.of(e), e);
        } finally {
            if (!started) {
                broker.readiness.not("it is stopping");
                broker.steps.undoQuietly();
            }
        }
    }

    /** The port of each listener, by its name; that of HTTP, if it is on, by {@code highwater.http.port}. */
    public Map<String, Integer> ports() {
        return ports;
    }

    /** Stops whatever runs, in the reverse order of the start. Blocks; idempotent; a step that fails is logged and the next one taken. */
    public void stop() {
        readiness.not("it is stopping");
        steps.undo();
    }

    /**
     * Ends it as the death of its process would, for tests: nobody is told, nothing is written down, connections are reset. What the system
     * has taken for its files is there at the next start, which finds no sign of an orderly stop. Blocks until nothing of it is left.
     */
    public void kill() {
        readiness.not("it was killed");
        steps.abandon();
    }

    /** What it is like inside, for tests in the same JVM. */
    public Inside inside() {
        Inside view = inside;
        if (view == null) {
            throw new IllegalStateException("it has not started");
        }
        return view;
    }

    private void start() throws DirectoryRefusedException, IOException {
        long startNanos = System.nanoTime();
        try (HeldPorts held = HeldPorts.of(config)) {
            ports.putAll(held.byListener());
            DiskRoom.check(config.logDirs());
            List<LogDirectory> directories = openDirectories();
            NodeParts node = buildNode(directories);
            ViewRoom view = new ViewRoom(node, steps);
            startHttp(node, view, held);

            ControlPlane controlPlane = node.controlPlane();
            RequestRouter controllerRouter =
                    node.seamed(ControllerRouter.of(controlPlane, node.versions(), heartbeats(node)));
            for (ListenerEndpoint endpoint : config.controllerListeners()) {
                open(endpoint, held, controllerRouter, node);
            }
            controlPlane.start();
            steps.done("being in the quorum", controlPlane::leaveQuorum, controlPlane::abandonQuorum);
            inside = new Inside(node, partition -> null);
            if (config.isBroker()) {
                startBroker(node, view, directories, held);
            }
            readiness.yes();
            new StartupSummary(config, origin, node.identity(), ports).log(startNanos);
        }
    }

    /** Who hears of heartbeats: a controller finds out by them which brokers have died. */
    private Consumer<ApiRequest> heartbeats(NodeParts node) {
        FencingSettings settings = FencingSettings.of(config);
        if (!config.isController() || !settings.fencesEarly()) {
            return heartbeat -> {};
        }
        EarlyFencing fencing = new EarlyFencing(node.vertx(), node.controlPlane(), settings, Clock.SYSTEM);
        steps.done("early fencing", fencing::close);
        return fencing::onHeartbeat;
    }

    private NodeParts buildNode(List<LogDirectory> directories) throws DirectoryRefusedException {
        var settings = Node.settings(config, ports);
        NodeIdentity identity = NodeFormat.readOrFormat(settings, config.getString("highwater.cluster.id"));
        for (LogDirectory directory : directories) {
            directory.refreshIdentity();
        }
        Metrics metrics = new Metrics(Dialects.of(config.getList("highwater.metrics.dialects")));
        Vertx vertx = startVertx();
        metrics.add(new LoopMetrics(new EventLoops(vertx)::threads));
        ControlPlane controlPlane = ControlPlane.create(settings, identity, stopRequest::byFault, seams.detour());
        steps.done("the control plane", controlPlane::close);
        metrics.add(new ControlPlaneMetrics(controlPlane::measurements));
        metrics.add(new ClusterMetrics(controlPlane::image, controlPlane::isActiveController, metrics.replicas()));
        NetworkContext network = NetworkSettings.context(config, metrics);
        return new NodeParts(
                config,
                identity,
                vertx,
                metrics,
                network,
                controlPlane,
                () -> versions(identity, controlPlane.image()),
                seams);
    }

    private void startBroker(NodeParts node, ViewRoom view, List<LogDirectory> directories, HeldPorts held)
            throws IOException {
        BrokerRooms rooms = new BrokerRooms(node, view, steps, stopRequest);
        BrokerLifecycle lifecycle = node.controlPlane().lifecycle();
        long previousEpoch = rooms.follow(directories);
        readiness.not("it is looking for its controller");
        waits.untilDone(lifecycle.register(previousEpoch));
        waits.untilDone(lifecycle.caughtUp());
        readiness.not("it is opening its logs");
        waits.untilDone(rooms.loaded().toCompletionStage());
        for (ListenerEndpoint endpoint : config.brokerListeners()) {
            open(endpoint, held, node.seamed(rooms.clientRouter(), view.stepMode()), node);
        }
        readiness.not("the controller has not let it in yet");
        waits.untilDone(lifecycle.readyToUnfence());
        inside = new Inside(node, rooms::partition);
        readiness.notWhile(lifecycle::fenced, "the controller has fenced it");
        // Undone first: leaderships move, and clients hear of it from here, while the listeners still serve.
        steps.done("leading partitions", () -> leave(node.controlPlane()), () -> {});
    }

    /** A crashed neighbour holds the controller's word back until its session ends: longer than a stop may take. */
    private void leave(ControlPlane controlPlane) {
        boolean alone = controlPlane.image().brokers().stream()
                .allMatch(broker -> broker.id() == config.nodeId() || broker.fenced() || broker.inControlledShutdown());
        try {
            waits.until(
                    controlPlane.lifecycle().beginControlledShutdown(), alone ? LEAVE_ALONE_WAIT_MS : LEAVE_WAIT_MS);
        } catch (IOException e) {
            LOG.warn("leaving without the controller's word that all leaderships have moved: {}", Reason.of(e));
        }
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

    private void startHttp(NodeParts node, ViewRoom view, HeldPorts held) throws IOException {
        if (config.httpPort() >= 0) {
            HttpEndpoint http = new HttpEndpoint(
                    node.vertx(), node.metrics(), readiness::notBecause, ViewRoom.security(config), view.routes());
            waits.until(http.start(config.httpHost(), held.release(HeldPorts.HTTP)), SOCKET_WAIT_MS);
            steps.done("HTTP", () -> waits.until(http.close(), SOCKET_WAIT_MS));
        }
    }

    private void open(ListenerEndpoint endpoint, HeldPorts held, RequestRouter router, NodeParts node)
            throws IOException {
        int port = held.release(endpoint.name());
        Listener listener =
                new Listener(node.vertx(), NetworkSettings.listener(config, endpoint, port), router, node.network());
        waits.until(listener.start(), SOCKET_WAIT_MS);
        steps.done(
                "listener " + endpoint.name(),
                () -> waits.until(listener.close(), SOCKET_WAIT_MS),
                () -> waits.until(listener.abort(), SOCKET_WAIT_MS));
    }

    private static BrokerVersions versions(NodeIdentity identity, ClusterImage image) {
        Map<String, FeatureRange> supported = new HashMap<>();
        ControlPlane.supportedFeatures()
                .forEach((name, range) -> supported.put(name, new FeatureRange(range.min(), range.max())));
        return new BrokerVersions(
                identity.clusterId(), identity.nodeId(), supported, image.finalizedFeatures(), image.offset());
    }
}
