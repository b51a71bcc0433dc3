package io.highwater.testkit;

import java.time.Duration;
import java.util.OptionalInt;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one API to one broker, and what is to happen to them. Begins with all, from clients and from other brokers, on all listeners;
 * each {@code from...} and {@code on...} narrows it. Nothing happens before one of the verbs at the end. Where several faults fit, the one that
 * was made first takes the request.
 *
 * <pre>{@code
 * cluster.broker(1).requests(ApiKeys.PRODUCE).first(2).fail(Errors.NOT_LEADER_OR_FOLLOWER);
 * cluster.broker(1).requests(ApiKeys.FETCH).fromBroker(3).delay(Duration.ofMillis(200));
 * HeldRequests fetches = cluster.broker(1).requests(ApiKeys.FETCH).fromBroker(2).hold();
 * }</pre>
 *
 * <p>A broker takes the requests of one connection in the order they came; so those behind a delayed or held one wait, whatever they are.
 * Immutable; any thread.
 */
public final class Requests {
    private final RequestFaults faults;
    private final ApiKeys api;
    private final @Nullable Integer brokerId;
    private final boolean clientsOnly;
    private final @Nullable String clientId;
    private final @Nullable String topic;
    private final int passing;
    private final int times;

    Requests(RequestFaults faults, ApiKeys api) {
        this(faults, api, null, false, null, null, 0, Integer.MAX_VALUE);
    }

    private Requests(
            RequestFaults faults,
            ApiKeys api,
            @Nullable Integer brokerId,
            boolean clientsOnly,
            @Nullable String clientId,
            @Nullable String topic,
            int passing,
            int times) {
        this.faults = faults;
        this.api = api;
        this.brokerId = brokerId;
        this.clientsOnly = clientsOnly;
        this.clientId = clientId;
        this.topic = topic;
        this.passing = passing;
        this.times = times;
    }

    /** Those that this broker sends, be it as follower or as member of the cluster. */
    public Requests fromBroker(int id) {
        return new Requests(faults, api, id, false, clientId, topic, passing, times);
    }

    /** Those that no broker of the cluster sends. */
    public Requests fromClients() {
        return new Requests(faults, api, null, true, clientId, topic, passing, times);
    }

    /** Those with this {@code client.id}. */
    public Requests fromClient(String id) {
        return new Requests(faults, api, brokerId, clientsOnly, id, topic, passing, times);
    }

    /**
     * Those that have to do with this topic. A Fetch in a session has to do with all topics of the session.
     *
     * @throws IllegalArgumentException if requests of this API are not known to name topics
     */
    public Requests onTopic(String name) {
        RequestTopics.requireKnown(api);
        return new Requests(faults, api, brokerId, clientsOnly, clientId, name, passing, times);
    }

    /** Only the first {@code count} of them, from now on. */
    public Requests first(int count) {
        return new Requests(faults, api, brokerId, clientsOnly, clientId, topic, passing, count);
    }

    /** Only the {@code n}-th of them, counted from 1 and from now on. */
    public Requests nth(int n) {
        return new Requests(faults, api, brokerId, clientsOnly, clientId, topic, n - 1, 1);
    }

    /** They reach their handler so much later. */
    public Fault delay(Duration by) {
        return faults.add(new RequestFault(this, "delayed by " + by.toMillis() + " ms") {
            @Override
            void strike(WaitingRequest request) {
                faults.after(by, request::pass);
            }
        });
    }

    /**
     * They are answered with an error where the API's answer has a place for one, and never reach their handler. A Fetch of a recent version
     * fails as a whole; a Produce with acks=0 has no answer and is lost.
     */
    public Fault fail(Errors error) {
        return faults.add(new RequestFault(this, "failed with " + error) {
            @Override
            void strike(WaitingRequest request) {
                request.fail(error);
            }
        });
    }

    /** They are lost together with their connection, and never reach their handler. */
    public Fault disconnect() {
        return faults.add(new RequestFault(this, "lost with its connection") {
            @Override
            void strike(WaitingRequest request) {
                request.disconnect();
            }
        });
    }

    /** They wait before their handler, until they are released one by one. */
    public HeldRequests hold() {
        HeldRequests held = new HeldRequests(this, faults);
        faults.add(held.fault());
        return held;
    }

    boolean fit(WaitingRequest request) {
        OptionalInt source = request.sourceBroker();
        return request.api() == api
                && (brokerId == null || (source.isPresent() && source.getAsInt() == brokerId))
                && !(clientsOnly && source.isPresent())
                && (clientId == null || clientId.equals(request.clientId()))
                && (topic == null || request.topics().contains(topic));
    }

    /** Whether the {@code count}-th that fits is meant, counted from 1. */
    boolean means(int count) {
        return count > passing && count - passing <= times;
    }

    @Override
    public String toString() {
        return api.name
                + (brokerId == null ? "" : " from broker " + brokerId)
                + (clientsOnly ? " from clients" : "")
                + (clientId == null ? "" : " from client " + clientId)
                + (topic == null ? "" : " on " + topic);
    }
}
