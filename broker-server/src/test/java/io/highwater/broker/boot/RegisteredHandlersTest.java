package io.highwater.broker.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.api.BrokerVersions;
import io.highwater.broker.api.FakeControlPlane;
import io.highwater.broker.api.RequestRouter;
import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.metrics.Dialects;
import io.highwater.broker.metrics.Metrics;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.NodeIdentity;
import io.highwater.wire.api.ApiSupport;
import io.highwater.wire.api.ListenerRole;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the compatibility statement says can be answered has a handler in every node that starts. */
class RegisteredHandlersTest {
    private final Vertx vertx = Vertx.vertx();
    private final Metrics metrics = new Metrics(Dialects.usual());
    private final Steps steps = new Steps();
    private final FakeControlPlane controlPlane = new FakeControlPlane(ClusterImage.empty());

    @AfterEach
    void close() {
        steps.undoQuietly();
        vertx.close().await();
    }

    @Test
    void clientsFindAHandlerForEveryApiOfTheTable() {
        BrokerConfig config = BrokerConfig.of(Map.of(
                "process.roles", "broker,controller",
                "node.id", "1",
                "controller.listener.names", "CONTROLLER",
                "listeners", "PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:0",
                "controller.quorum.bootstrap.servers", "127.0.0.1:9093"));
        NodeParts node = new NodeParts(
                config,
                new NodeIdentity("c", 1, List.of(), List.of(), false),
                vertx,
                metrics,
                NetworkSettings.context(config, metrics),
                controlPlane,
                RegisteredHandlersTest::versions,
                Seams.NONE);

        RequestRouter router =
                new BrokerRooms(node, new ViewRoom(node, steps), steps, new StopRequest()).clientRouter();

        assertThat(router.support().apis()).isEqualTo(ApiSupport.known(ListenerRole.BROKER));
    }

    @Test
    void brokersFindAHandlerForEveryApiOfTheTableAtAController() {
        RequestRouter router = ControllerRouter.of(controlPlane, RegisteredHandlersTest::versions, heartbeat -> {});

        assertThat(router.support().apis()).isEqualTo(ApiSupport.known(ListenerRole.CONTROLLER));
    }

    private static BrokerVersions versions() {
        return new BrokerVersions("c", 1, Map.of(), Map.of(), -1);
    }
}
