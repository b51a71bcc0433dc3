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
import org.jspecify.annotations.Nullable;

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
        return seamed(router, null);
    }

    /** The same, with {@code inner} between the test and the handlers. */
    RequestRouter seamed(RequestRouter router, @Nullable RequestInterceptor inner) {
        RequestInterceptor outer = seams.requests();
        EventLoops loops = new EventLoops(vertx);
        if (outer == null || inner == null) {
            RequestInterceptor only = outer == null ? inner : outer;
            return only == null ? router : router.intercepted(only, loops::here);
        }
        return router.intercepted(
                (request, loop, onward) -> outer.intercept(request, loop, () -> inner.intercept(request, loop, onward)),
                loops::here);
    }
}
