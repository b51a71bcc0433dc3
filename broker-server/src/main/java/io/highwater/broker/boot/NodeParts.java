package io.highwater.broker.boot;

import io.highwater.broker.api.BrokerVersions;
import io.highwater.broker.api.RequestInterceptor;
import io.highwater.broker.api.RequestRouter;
import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.metrics.Metrics;
import io.highwater.broker.net.NetworkContext;
import io.highwater.controlplane.ControlPlane;
import io.highwater.controlplane.NodeIdentity;
import io.vertx.core.Vertx;
import java.util.function.Supplier;

/** What every node has, whatever its roles. */
record NodeParts(
        BrokerConfig config,
        NodeIdentity identity,
        Vertx vertx,
        Metrics metrics,
        NetworkContext network,
        ControlPlane controlPlane,
        Supplier<BrokerVersions> versions,
        Seams seams) {

    /** The router as a test wants it. */
    RequestRouter seamed(RequestRouter router) {
        RequestInterceptor between = seams.requests();
        EventLoops loops = new EventLoops(vertx);
        return between == null ? router : router.intercepted(between, loops::here);
    }
}
