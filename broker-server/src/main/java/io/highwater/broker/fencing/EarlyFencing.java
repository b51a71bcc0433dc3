package io.highwater.broker.fencing;

import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.api.Client;
import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.fencing.FencingEffect.Dial;
import io.highwater.broker.fencing.FencingEffect.Drop;
import io.highwater.broker.fencing.FencingEffect.Fence;
import io.highwater.broker.partition.Clock;
import io.highwater.broker.peer.ListenerProbe;
import io.highwater.broker.peer.ListenerProbe.Outcome;
import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ControlPlane;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acts for {@link Suspicions}: dials, asks the controller to fence, and says so. Everything happens on one event loop, where nothing waits; whatever is
 * called from outside hops there.
 */
public final class EarlyFencing implements AutoCloseable, FencingEffect.Performer {
    /** How often it looks around: what bounds how late a silence, or that this controller took over, is noticed. */
    static final long LOOK_MS = 200;

    private static final Logger LOG = LoggerFactory.getLogger(EarlyFencing.class);

    private final Vertx vertx;
    private final Context context;
    private final ControlPlane controlPlane;
    private final FencingSettings settings;
    private final Clock clock;
    private final ListenerProbe probe;
    private final Suspicions suspicions;
    private long timer = -1;
    private boolean closed;

    /** Looks around from now on. */
    public EarlyFencing(Vertx vertx, ControlPlane controlPlane, FencingSettings settings, Clock clock) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.controlPlane = controlPlane;
        this.settings = settings;
        this.clock = clock;
        this.probe = new ListenerProbe(vertx);
        this.suspicions = new Suspicions(settings);
        context.runOnContext(started -> look());
    }

    /** A BrokerHeartbeat came in. Any thread; returns at once. */
    public void onHeartbeat(ApiRequest request) {
        BrokerHeartbeatRequestData heartbeat = (BrokerHeartbeatRequestData) request.body();
        int brokerId = heartbeat.brokerId();
        long brokerEpoch = heartbeat.brokerEpoch();
        Client client = request.client();
        context.runOnContext(hopped -> heard(brokerId, brokerEpoch, client));
    }

    private void heard(int brokerId, long brokerEpoch, Client client) {
        BrokerView broker = controlPlane.image().broker(brokerId);
        if (broker == null || broker.brokerEpoch() != brokerEpoch) {
            return;
        }
        String connectionId = client.connectionId();
        boolean known = suspicions.isOn(brokerId, connectionId);
        perform(suspicions.onHeartbeat(brokerId, brokerEpoch, connectionId, clock.monotonicMs()));
        if (!known) {
            client.closed()
                    .onComplete(ended -> context.runOnContext(hopped -> {
                        suspicions.onConnectionEnded(brokerId, connectionId, clock.monotonicMs());
                        look();
                    }));
        }
    }

    private void look() {
        if (closed) {
            return;
        }
        perform(suspicions.onLook(controlPlane.isActiveController(), unfenced(), clock.monotonicMs()));
        lookAgain();
    }

    private void lookAgain() {
        vertx.cancelTimer(timer);
        long dueMs = suspicions.nextDialMs() - clock.monotonicMs();
        timer = vertx.setTimer(Math.max(1, Math.min(LOOK_MS, dueMs)), passed -> look());
    }

    private Map<Integer, Long> unfenced() {
        Map<Integer, Long> epochs = new HashMap<>();
        for (BrokerView broker : controlPlane.image().brokers()) {
            if (broker.active()) {
                epochs.put(broker.id(), broker.brokerEpoch());
            }
        }
        return epochs;
    }

    private void perform(List<FencingEffect> effects) {
        effects.forEach(effect -> effect.performBy(this));
    }

    @Override
    public void perform(Dial dial) {
        Endpoint endpoint = endpoint(dial.brokerId());
        Future<Outcome> outcome = endpoint == null
                ? Future.succeededFuture(Outcome.UNCLEAR)
                : probe.dial(endpoint.host(), endpoint.port());
        outcome.onComplete(dialed -> context.runOnContext(hopped -> {
            perform(suspicions.onDialed(
                    dial, dialed.succeeded() ? dialed.result() : Outcome.UNCLEAR, clock.monotonicMs()));
            look();
        }));
    }

    @Override
    public void perform(Fence fence) {
        Endpoint endpoint = endpoint(fence.brokerId());
        String address = endpoint == null ? "its listener" : endpoint.host() + ":" + endpoint.port();
        String cause = fence.cause().sentence(fence.causeAgeMs());
        Future.fromCompletionStage(controlPlane.fence(fence.brokerId(), fence.brokerEpoch()), context)
                .onSuccess(done -> LOG.info(
                        "Broker {} is fenced: {} and {} refuses connections; its session would have lasted {} ms more",
                        fence.brokerId(),
                        cause,
                        address,
                        fence.sessionLeftMs()))
                .onFailure(failure -> {
                    LOG.info(
                            "Broker {} is not fenced although {} and {} refuses connections: {}",
                            fence.brokerId(),
                            cause,
                            address,
                            failure.toString());
                    suspicions.onFencingFailed(fence);
                });
    }

    @Override
    public void perform(Drop drop) {
        LOG.debug(
                "Broker {} is not fenced before its session ends, it was looked at for {}: {}",
                drop.brokerId(),
                drop.cause(),
                drop.reason());
    }

    /** Where other brokers call it. A controller that is no broker may not have been told the listener's name: then an only one is meant. */
    private @Nullable Endpoint endpoint(int brokerId) {
        BrokerView broker = controlPlane.image().broker(brokerId);
        if (broker == null) {
            return null;
        }
        Map<String, Endpoint> endpoints = new HashMap<>(broker.endpoints());
        endpoints.remove(BrokerConfig.HTTP_LISTENER);
        Endpoint named = endpoints.get(settings.listener());
        return named == null && endpoints.size() == 1
                ? endpoints.values().iterator().next()
                : named;
    }

    /** Looks no more; dials under way mean nothing. Any thread; returns at once. */
    @Override
    public void close() {
        context.runOnContext(hopped -> {
            closed = true;
            vertx.cancelTimer(timer);
        });
        probe.close();
    }
}
