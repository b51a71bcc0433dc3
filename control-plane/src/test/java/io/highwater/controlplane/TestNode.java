package io.highwater.controlplane;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.jspecify.annotations.Nullable;

/** One node in this JVM: a control plane and its controller listener. */
final class TestNode implements AutoCloseable {
    static final long PATIENCE_S = 30;
    static final Duration SESSION_TIMEOUT = Duration.ofSeconds(3);

    final NodeSettings settings;
    final NodeIdentity identity;
    final ControlPlane controlPlane;
    final SocketListener listener;
    final AtomicReference<String> fault = new AtomicReference<>();

    private TestNode(NodeSettings settings, NodeIdentity identity, SocketListener listener) {
        this.settings = settings;
        this.identity = identity;
        this.listener = listener;
        this.controlPlane = ControlPlane.create(settings, identity, (sentence, cause) -> fault.set(sentence));
    }

    /** A combined node in {@code directory}, formatted if it is new, listening but not started. */
    static TestNode combined(int id, Path directory) {
        return combined(id, directory, new SocketListener(0), null, Map.of());
    }

    static TestNode combined(
            int id,
            Path directory,
            SocketListener listener,
            @Nullable String clusterId,
            Map<String, String> properties) {
        NodeSettings settings = NodeSettings.node(id, Role.BROKER, Role.CONTROLLER)
                .logDirectories(directory)
                .brokerEndpoint(endpoint("PLAINTEXT", 9092 + id))
                .controllerEndpoint(endpoint("CONTROLLER", listener.port()))
                .properties(quick(properties))
                .build();
        return new TestNode(settings, NodeFormat.readOrFormat(settings, clusterId), listener);
    }

    /** A node that is only a broker, of the quorum whose controller listens on {@code controllerPort}. */
    static TestNode broker(
            int id, Path directory, String clusterId, int controllerPort, Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.put("controller.quorum.bootstrap.servers", "localhost:" + controllerPort);
        NodeSettings settings = NodeSettings.node(id, Role.BROKER)
                .logDirectories(directory)
                .brokerEndpoint(endpoint("PLAINTEXT", 9092 + id))
                .properties(quick(all))
                .build();
        return new TestNode(settings, NodeFormat.readOrFormat(settings, clusterId), new SocketListener(0));
    }

    /** A node that is only a controller. */
    static TestNode controller(int id, Path directory, String clusterId, Map<String, String> properties) {
        SocketListener listener = new SocketListener(0);
        NodeSettings settings = NodeSettings.node(id, Role.CONTROLLER)
                .logDirectories(directory)
                .controllerEndpoint(endpoint("CONTROLLER", listener.port()))
                .properties(quick(properties))
                .build();
        return new TestNode(settings, NodeFormat.readOrFormat(settings, clusterId), listener);
    }

    static Endpoint endpoint(String name, int port) {
        return new Endpoint(name, SecurityProtocol.PLAINTEXT, "localhost", port);
    }

    private static Map<String, String> quick(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>();
        all.put("broker.heartbeat.interval.ms", "500");
        all.put("broker.session.timeout.ms", String.valueOf(SESSION_TIMEOUT.toMillis()));
        all.putAll(properties);
        return all;
    }

    TestNode start() {
        controlPlane.start();
        listener.serve(controlPlane);
        return this;
    }

    TestNode registered() {
        return registered(-1);
    }

    TestNode registered(long previousEpoch) {
        await(controlPlane.lifecycle().register(previousEpoch));
        await(controlPlane.lifecycle().caughtUp());
        return this;
    }

    TestNode unfenced() {
        registered();
        await(controlPlane.lifecycle().readyToUnfence());
        return this;
    }

    <T extends ApiMessage> T ask(ApiKeys api, ApiMessage request, Class<T> answer) {
        return answer.cast(await(controlPlane.forward(api, api.latestVersion(), request, Caller.self())));
    }

    static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(PATIENCE_S, TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException known ? known : new IllegalStateException(failed);
        } catch (InterruptedException | java.util.concurrent.TimeoutException late) {
            throw new AssertionError("not within " + PATIENCE_S + " s", late);
        }
    }

    /** Stops as boot does: leave the quorum, then the listener, then the rest. */
    @Override
    public void close() {
        controlPlane.leaveQuorum();
        listener.close();
        controlPlane.close();
    }
}
