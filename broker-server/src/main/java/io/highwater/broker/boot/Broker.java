package io.highwater.broker.boot;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.InvalidSettingException;
import io.highwater.controlplane.ControlPlane;
import io.highwater.controlplane.ControlPlaneException;
import io.highwater.controlplane.NodeFormat;
import io.highwater.controlplane.NodeIdentity;
import io.highwater.controlplane.NodeSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node: builds every object once, starts it in an order in which nothing is asked before it can answer, and stops it in the reverse
 * order. No static state, so that several run in one JVM.
 */
public final class Broker {
    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);

    private final BrokerConfig config;
    private final StopRequest stopRequest;
    private final Map<String, Integer> ports = new LinkedHashMap<>();

    /** What was started, newest first, each with its way back. */
    private final Deque<Phase> started = new ArrayDeque<>();

    private Broker(BrokerConfig config, StopRequest stopRequest) {
        this.config = config;
        this.stopRequest = stopRequest;
    }

    /** A step of the stop. */
    private record Phase(String name, Runnable undo) {}

    /**
     * Starts a node and returns when it serves.
     *
     * @param origin where the settings come from, for people
     * @param stopRequest answered by the caller, once this has returned; also asked between the steps of the start
     * @throws StartRefusedException if it cannot start; then nothing of it runs
     */
    public static Broker start(BrokerConfig config, String origin, StopRequest stopRequest) {
        Broker broker = new Broker(config, stopRequest);
        try {
            broker.start(origin);
            return broker;
        } catch (ControlPlaneException | InvalidSettingException e) {
            broker.stop();
            throw new StartRefusedException(Reason.of(e), e);
        } catch (RuntimeException e) {
            broker.stop();
            throw e;
        }
    }

    /** The port of each listener, by its name. */
    public Map<String, Integer> ports() {
        return ports;
    }

    private void start(String origin) {
        LOG.info("settings: {}", origin);
        try (HeldPorts held = HeldPorts.of(config.listeners())) {
            ports.putAll(held.byListener());
            NodeSettings node = Node.settings(config, ports);
            NodeIdentity identity = NodeFormat.readOrFormat(node, config.getString("highwater.cluster.id"));

            startVertx();
            ControlPlane controlPlane = ControlPlane.create(node, identity, stopRequest::byFault);
            started.push(new Phase("control plane", controlPlane::close));
            controlPlane.start();
        }
    }

    private void startVertx() {
        // Nothing is read from the class path or cached in files.
        Vertx vertx = Vertx.vertx(new VertxOptions()
                .setPreferNativeTransport(false)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        started.push(new Phase("event loops", () -> await(vertx.close(), 10)));
    }

    private static void await(Future<Void> future, long seconds) {
        try {
            future.await(seconds, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("not done within " + seconds + " s", e);
        }
    }

    /** Stops whatever runs, in the reverse order of the start. Blocks; idempotent; a step that fails is logged and the next one taken. */
    public void stop() {
        long startNanos = System.nanoTime();
        while (!started.isEmpty()) {
            Phase phase = started.pop();
            long phaseNanos = System.nanoTime();
            try {
                phase.undo.run();
                LOG.info("stopped: {} ({} ms)", phase.name, millisSince(phaseNanos));
            } catch (RuntimeException e) {
                LOG.warn("could not stop cleanly: {}", phase.name, e);
            }
        }
        LOG.info("stopped after {} ms", millisSince(startNanos));
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }
}
