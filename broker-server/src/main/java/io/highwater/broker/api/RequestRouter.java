package io.highwater.broker.api;

import io.highwater.wire.api.ApiSupport;
import io.highwater.wire.api.ListenerRole;
import io.vertx.core.Future;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Takes each request to the handler of its API. Knows the versions that are answered, and answers ApiVersions itself, since
 * only it knows all handlers. Immutable once built; any thread may route.
 */
public final class RequestRouter {
    private final ApiSupport support;
    private final @Nullable Route<?>[] routes;
    private final @Nullable RequestInterceptor interceptor;
    private final Supplier<Executor> loop;
    private final FailedRequests failedRequests = new FailedRequests();

    private RequestRouter(
            ApiSupport support,
            @Nullable Route<?>[] routes,
            @Nullable RequestInterceptor interceptor,
            Supplier<Executor> loop) {
        this.support = support;
        this.routes = routes;
        this.interceptor = interceptor;
        this.loop = loop;
    }

    /** Starts the router of a listener of this role. */
    public static Builder builder(ListenerRole role) {
        return new Builder(role);
    }

    /** The APIs and versions that have a handler here. */
    public ApiSupport support() {
        return support;
    }

    /**
     * This router with {@code between} in front of its handlers.
     *
     * @param currentLoop the event loop of the thread that asks
     */
    public RequestRouter intercepted(RequestInterceptor between, Supplier<Executor> currentLoop) {
        return new RequestRouter(support, routes, between, currentLoop);
    }

    /**
     * Hands the request to its handler.
     *
     * @return the handler's future; a failed one if no handler answers this API in this version, or if the handler threw
     */
    public Future<@Nullable ApiMessage> route(ApiRequest request) {
        RequestInterceptor between = interceptor;
        return between == null ? handOver(request) : between.intercept(request, loop.get(), () -> handOver(request));
    }

    private Future<@Nullable ApiMessage> handOver(ApiRequest request) {
        Route<?> route = routes[request.api().id];
        if (route == null || !route.accepts(request, support)) {
            return Future.failedFuture(new UnanswerableException(
                    Errors.UNSUPPORTED_VERSION,
                    request.api().name + " v" + request.version() + " is not answered on this listener"));
        }
        try {
            return route.handle(request);
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    /**
     * The answer to a request whose future has failed; logs the failure. Reads the request's body, but no records in it.
     *
     * @throws UnanswerableException if there is none: the connection has to be closed
     */
    public ApiMessage answerToFailed(ApiRequest request, Throwable failure) throws UnanswerableException {
        return failedRequests.answer(request, failure);
    }

    /** One handler and the type of the messages it takes. */
    private record Route<Q extends ApiMessage>(Class<Q> bodyType, ApiHandler<Q> handler) {
        boolean accepts(ApiRequest request, ApiSupport support) {
            // ApiVersions in a version from the future is refused by its handler in words that the client understands.
            return support.supports(request.api(), request.version()) || request.api() == ApiKeys.API_VERSIONS;
        }

        Future<@Nullable ApiMessage> handle(ApiRequest request) {
            return handler.handle(request, bodyType.cast(request.body()));
        }
    }

    /** Collects handlers. */
    public static final class Builder {
        private final ListenerRole role;
        private final Map<ApiKeys, Route<?>> routes = new EnumMap<>(ApiKeys.class);

        private Builder(ListenerRole role) {
            this.role = role;
        }

        /**
         * Names the handler of an API.
         *
         * @param bodyType of its requests
         * @throws IllegalStateException if the API already has a handler, or is answered by the router itself
         */
        public <Q extends ApiMessage> Builder handle(ApiKeys api, Class<Q> bodyType, ApiHandler<Q> handler) {
            if (api == ApiKeys.API_VERSIONS) {
                throw new IllegalStateException("the router answers ApiVersions itself");
            }
            if (!bodyType.isInstance(api.messageType.newRequest())) {
                throw new IllegalStateException(api + " requests are not " + bodyType.getSimpleName());
            }
            if (routes.put(api, new Route<>(bodyType, handler)) != null) {
                throw new IllegalStateException(api + " has two handlers");
            }
            return this;
        }

        /**
         * Ends the collection.
         *
         * @param broker asked at each ApiVersions request, on event loops
         * @throws IllegalStateException if an API with a handler is not one of this listener role
         */
        public RequestRouter build(Supplier<BrokerVersions> broker) {
            Set<ApiKeys> handled = EnumSet.of(ApiKeys.API_VERSIONS);
            handled.addAll(routes.keySet());
            ApiSupport support = ApiSupport.of(role, handled);
            @Nullable Route<?>[] byId = new Route<?>[ApiKeys.values().length];
            routes.forEach((api, route) -> byId[api.id] = route);
            byId[ApiKeys.API_VERSIONS.id] =
                    new Route<>(ApiVersionsRequestData.class, new ApiVersionsHandler(support, broker));
            return new RequestRouter(support, byId, null, () -> Runnable::run);
        }
    }
}
