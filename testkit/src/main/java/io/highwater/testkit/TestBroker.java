package io.highwater.testkit;

import io.highwater.broker.boot.Broker;
import io.highwater.broker.boot.Inside;
import io.highwater.broker.boot.Seams;
import io.highwater.broker.boot.StopRequest;
import io.highwater.broker.config.BrokerConfig;
import io.highwater.controlplane.TopicView;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;

/**
 * One broker of a {@link HighwaterTestCluster}, and what may become of it: it can be stopped in order, killed, paused, and started again on the
 * same ports, with its data or without. For one thread at a time.
 *
 * <pre>{@code
 * TestBroker leader = cluster.leaderOf("orders", 0);
 * leader.kill();
 * cluster.await("orders", 0, PartitionCondition.led());
 * leader.start();
 * }</pre>
 */
public final class TestBroker {
    static final String CLIENTS = "PLAINTEXT";
    static final String CONTROLLER = "CONTROLLER";

    /** A pause ends by itself after this. */
    public static final Duration LONGEST_PAUSE = Duration.ofMinutes(2);

    /** A start that takes longer is given up; it may lack others to form a quorum with. */
    public static final Duration LONGEST_START = Duration.ofSeconds(60);

    private final int id;
    private final Path directory;
    private final Map<String, String> settings;
    private final HeldPort clientPort;
    private final HeldPort controllerPort;
    private final TestNetwork network;
    private final Events events;
    private final RequestFaults faults;
    private volatile @Nullable Broker running;
    private @Nullable Gate gate;
    private @Nullable ScheduledFuture<?> endOfPause;

    TestBroker(int id, Path directory, Map<String, String> settings, TestNetwork network, Events events) {
        this.id = id;
        this.directory = directory;
        this.settings = new HashMap<>(settings);
        this.network = network;
        this.events = events;
        this.clientPort = HeldPort.free();
        this.controllerPort = HeldPort.free();
        network.isAt(id, clientPort.number());
        network.isAt(id, controllerPort.number());
        this.faults =
                new RequestFaults(id, network::source, new RequestTopics(this::topicName), network.clock(), events);
    }

    /** Adds settings that were not given. Before the first start. */
    void configure(Map<String, String> more) {
        more.forEach(settings::putIfAbsent);
    }

    /** The node id. */
    public int id() {
        return id;
    }

    /** Where clients reach it, as host:port; the same after every start. */
    public String address() {
        return "127.0.0.1:" + clientPort.number();
    }

    /** The port of its HTTP side, which is off unless the cluster is given {@code highwater.http.port=0}; another after every start. */
    public int httpPort() {
        Broker up = running;
        if (up == null) {
            throw new IllegalStateException("broker " + id + " does not run");
        }
        Integer port = up.ports().get("highwater.http.port");
        if (port == null) {
            throw new IllegalStateException("broker " + id + " was not told to open its HTTP side");
        }
        return port;
    }

    /** Where controllers reach it, as host:port. */
    String controllerAddress() {
        return "127.0.0.1:" + controllerPort.number();
    }

    /** Where its data is. */
    public Path directory() {
        return directory;
    }

    /** Whether it runs; a paused one does. */
    public boolean isRunning() {
        return running != null;
    }

    /** Whether it is paused. */
    public boolean isPaused() {
        Gate closed = gate;
        return closed != null && !closed.isOpen();
    }

    /**
     * Starts it, and returns when it serves. Does nothing if it runs.
     *
     * @throws io.highwater.broker.boot.StartRefusedException if it refuses to start, or does not serve within {@link #LONGEST_START}
     */
    public void start() {
        start(new StopRequest());
    }

    /** As {@link #start()}, and ends the attempt when it is asked to. */
    void start(StopRequest stopRequest) {
        if (running != null) {
            return;
        }
        ScheduledFuture<?> patience =
                network.clock().schedule(stopRequest::bySignal, LONGEST_START.toMillis(), TimeUnit.MILLISECONDS);
        network.relays().onUp(id);
        clientPort.release();
        controllerPort.release();
        try {
            running = Broker.start(
                    BrokerConfig.of(settings),
                    "a test",
                    stopRequest,
                    new Seams(
                            faults,
                            destination -> network.detour(id, destination),
                            hearer -> events.noting(id, hearer)));
            events.note(id, "started");
        } finally {
            patience.cancel(false);
            if (running == null) {
                ended();
            }
        }
    }

    /** Stops it in an orderly way, and returns when nothing of it is left but its data. Does nothing if it does not run. */
    public void stop() {
        Broker broker = running;
        if (broker != null) {
            resume();
            events.note(id, "stops");
            broker.stop();
            running = null;
            ended();
        }
    }

    /**
     * Ends it as SIGKILL would: nobody is told, nothing more is written, its connections are reset. What it had written is kept, as a system that
     * goes on keeps it, but without the signs of an orderly stop. Returns when nothing of it is left but its data. Does nothing if it does not
     * run.
     */
    public void kill() {
        Broker broker = running;
        if (broker != null) {
            events.note(id, "killed");
            network.links().resume(id);
            network.relays().onDown(id);
            running = null;
            openGate();
            broker.kill();
            ended();
        }
    }

    /**
     * Lets it stand still, as SIGSTOP would: its sockets stay open, and connections are even accepted, but it reads nothing and sends nothing, to
     * clients and to other brokers. Ends with {@link #resume}, {@link #stop}, {@link #kill}, and by itself after {@link #LONGEST_PAUSE}.
     *
     * @throws IllegalStateException if it does not run
     */
    public void pause() {
        Broker broker = running;
        if (broker == null) {
            throw new IllegalStateException("broker " + id + " does not run");
        }
        if (isPaused()) {
            return;
        }
        events.note(id, "paused");
        network.links().pause(id);
        network.relays().onLinksChanged();
        gate = Gate.close(broker.inside().eventLoops(), LONGEST_PAUSE);
        endOfPause = network.clock().schedule(this::reopenLinks, LONGEST_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Lets it go on. Does nothing if it is not paused. */
    public void resume() {
        if (gate != null) {
            events.note(id, "resumed");
            reopenLinks();
            openGate();
        }
    }

    /** {@link #stop}, and {@link #start} on the same data. */
    public void restart() {
        stop();
        start();
    }

    /**
     * Deletes all that it has stored, as if it got a new disk; the next start begins with an empty one.
     *
     * @throws IllegalStateException if it runs
     */
    public void wipe() {
        if (running != null) {
            throw new IllegalStateException("broker " + id + " runs");
        }
        events.note(id, "wiped");
        if (Files.exists(directory)) {
            Directories.delete(directory);
        }
    }

    /** Requests of that API to this broker, to let something happen to them; also while it does not run, for later. */
    public Requests requests(ApiKeys api) {
        return new Requests(faults, api);
    }

    RequestFaults faults() {
        return faults;
    }

    /** What it is like inside; null if it does not run. */
    @Nullable
    Inside inside() {
        Broker broker = running;
        return broker == null ? null : broker.inside();
    }

    /** Lets go of its ports; it does not run and never will. */
    void close() {
        clientPort.close();
        controllerPort.close();
    }

    private @Nullable String topicName(Uuid topicId) {
        Inside inside = inside();
        TopicView topic = inside == null ? null : inside.image().topic(topicId);
        return topic == null ? null : topic.name();
    }

    private void reopenLinks() {
        network.links().resume(id);
        network.relays().onLinksChanged();
    }

    private void openGate() {
        if (endOfPause != null) {
            endOfPause.cancel(false);
            endOfPause = null;
        }
        if (gate != null) {
            gate.open();
            gate = null;
        }
    }

    private void ended() {
        network.relays().onDown(id);
        faults.onBrokerEnded();
        clientPort.hold();
        controllerPort.hold();
    }
}
