package io.highwater.broker.metrics;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchRequest;
import org.jspecify.annotations.Nullable;

/**
 * Connections, requests and their bytes. Recording is hot and for any thread.
 *
 * <p>Requests go by the name of their API. Some go by a second name as well, as in Kafka: fetches by who fetches, and the first version
 * of ListConfigResources by what it was called then. Errors are told apart by the API alone.
 */
public final class NetworkMetrics implements SeriesSource {
    private static final int APIS = ApiKeys.values().length;
    private static final List<String> SECOND_NAMES =
            List.of("FetchConsumer", "FetchFollower", "ListClientMetricsResources");

    /** Places of the second names, after those of the APIs. */
    private static final int FETCH_CONSUMER = APIS;

    private static final int FETCH_FOLLOWER = APIS + 1;
    private static final int LIST_CLIENT_METRICS_RESOURCES = APIS + 2;
    private static final int NO_PLACE = -1;
    private static final String SOCKET_SERVER = "kafka_network_socketserver_";

    private final AtomicReferenceArray<@Nullable RequestCounts> counts =
            new AtomicReferenceArray<>(APIS + SECOND_NAMES.size());
    private final ConnectionMetrics connections = new ConnectionMetrics();
    private final LongAdder bytesIn = new LongAdder();
    private final LongAdder bytesOut = new LongAdder();
    private final LongAdder closedByUs = new LongAdder();
    private final LongAdder closedIdle = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder throttledByMemory = new LongAdder();
    private volatile LongSupplier memoryUsedBytes = () -> 0;
    private volatile LongSupplier memoryLimitBytes = () -> 0;

    NetworkMetrics() {}

    /** Says where to ask for the bytes of requests held, and for their limit. */
    public void watchMemory(LongSupplier usedBytes, LongSupplier limitBytes) {
        memoryUsedBytes = usedBytes;
        memoryLimitBytes = limitBytes;
    }

    /** A connection was accepted; one {@link #closed} follows. */
    public void opened(String listener) {
        connections.opened(listener);
    }

    /** A connection has ended, for whatever reason. */
    public void closed(String listener) {
        connections.closed(listener);
    }

    /**
     * A client has said what it is.
     *
     * @return to be run once, when its connection ends
     */
    public Runnable calledItself(String software, String version, String listener) {
        return connections.calledItself(software, version, listener);
    }

    /** A connection was not accepted because there are too many. */
    public void refused() {
        refused.increment();
    }

    /** We ended a connection because of what the client did, or because we failed. */
    public void closedByUs() {
        closedByUs.increment();
    }

    /** We ended a connection because it was idle. */
    public void closedIdle() {
        closedIdle.increment();
    }

    /** A connection is not read because the memory budget has no room for its next request. */
    public void throttledByMemory() {
        throttledByMemory.increment();
    }

    /**
     * A request has come in.
     *
     * @param body its message
     * @param sizeBytes without the length in front
     */
    public void received(ApiKeys api, short version, ApiMessage body, int sizeBytes) {
        bytesIn.add(sizeBytes + (long) Integer.BYTES);
        countsAt(api.id).received(version, sizeBytes);
        int second = secondPlace(api, version, body);
        if (second != NO_PLACE) {
            countsAt(second).received(version, sizeBytes);
        }
    }

    /**
     * A request has been answered.
     *
     * @param writtenNanos when the answer was handed to the socket, {@link System#nanoTime()}
     * @param sizeBytes of the answer, length included; 0 if there was none
     */
    public void answered(AnsweredRequest request, long writtenNanos, long sizeBytes) {
        bytesOut.add(sizeBytes);
        RequestCounts ofApi = countsAt(request.api().id);
        ofApi.answered(request, writtenNanos);
        ApiMessage answer = request.answer();
        if (answer != null) {
            ErrorCodes.of(answer, ofApi);
        }
        int second = secondPlace(request.api(), request.version(), request.body());
        if (second != NO_PLACE) {
            countsAt(second).answered(request, writtenNanos);
        }
    }

    /**
     * The socket has taken an answer. Need not be told of each.
     *
     * @param nanos since it was written
     */
    public void sent(AnsweredRequest request, long nanos) {
        countsAt(request.api().id).sent(nanos);
        int second = secondPlace(request.api(), request.version(), request.body());
        if (second != NO_PLACE) {
            countsAt(second).sent(nanos);
        }
    }

    /** A request ended in an error that could not be told. */
    public void unanswered(ApiKeys api, Errors error) {
        countsAt(api.id).take(error.code());
    }

    private static int secondPlace(ApiKeys api, short version, ApiMessage body) {
        if (body instanceof FetchRequestData fetch) {
            return FetchRequest.isValidBrokerId(FetchRequest.replicaId(fetch)) ? FETCH_FOLLOWER : FETCH_CONSUMER;
        }
        return api == ApiKeys.LIST_CONFIG_RESOURCES && version == 0 ? LIST_CLIENT_METRICS_RESOURCES : NO_PLACE;
    }

    private RequestCounts countsAt(int place) {
        RequestCounts known = counts.get(place);
        if (known != null) {
            return known;
        }
        String name = place < APIS ? ApiKeys.forId(place).name : SECOND_NAMES.get(place - APIS);
        counts.compareAndSet(place, null, new RequestCounts(name));
        return countsAt(place);
    }

    @Override
    public void writeTo(SeriesWriter out) {
        out.meter(
                RequestCounts.REQUESTS,
                "Requests by API and version",
                family -> ofEach(each -> each.writeRequests(family)));
        out.meter(
                RequestCounts.ERRORS,
                "Error codes in answers, those that say NONE too",
                family -> ofEach(each -> each.writeErrors(family)));
        long nowNanos = System.nanoTime();
        for (ApiTimes.Phase phase : ApiTimes.Phase.values()) {
            out.family(phase.family, "summary", phase.help);
            ofEach(each -> each.writeTimes(out, phase, nowNanos));
        }
        for (String never : List.of("messageconversionstimems", "temporarymemorybytes")) {
            out.family("kafka_network_requestmetrics_" + never, "summary", "Always 0: records are not converted");
            Histogram.writeZero(out, 0, "request", "Produce");
            Histogram.writeZero(out, 0, "request", "Fetch");
        }
        connections.writeTo(out);
        writeTotals(out);
    }

    private void ofEach(Consumer<RequestCounts> writer) {
        for (int place = 0; place < counts.length(); place++) {
            RequestCounts each = counts.get(place);
            if (each != null) {
                writer.accept(each);
            }
        }
    }

    private void writeTotals(SeriesWriter out) {
        counter(out, "highwater_network_bytes_in_total", "Bytes of requests, lengths included", bytesIn);
        counter(out, "highwater_network_bytes_out_total", "Bytes of answers, lengths included", bytesOut);
        counter(
                out,
                "highwater_network_connections_refused_total",
                "Connections closed at once because of max.connections or max.connections.per.ip",
                refused);
        counter(
                out,
                "highwater_network_connections_broken_off_total",
                "Connections closed because of what the client sent or because a request failed",
                closedByUs);
        counter(
                out,
                "highwater_network_memory_throttled_total",
                "Times a connection was not read further because requests fill queued.max.request.bytes",
                throttledByMemory);
        out.gauge("kafka_network_requestchannel_requestqueuesize", "Always 0: requests do not wait for a handler")
                .sample(0L);
        out.gauge("kafka_network_requestchannel_responsequeuesize", "Always 0: answers do not wait for a thread")
                .sample(0L);
        out.gauge(SOCKET_SERVER + "expiredconnectionskilledcount", "Connections closed because they were idle")
                .sample(closedIdle.sum());
        long usedBytes = memoryUsedBytes.getAsLong();
        out.gauge(SOCKET_SERVER + "memorypoolused", "Bytes of requests being received or handled")
                .sample(usedBytes);
        out.gauge(SOCKET_SERVER + "memorypoolavailable", "Bytes of requests for which there is room")
                .sample(memoryLimitBytes.getAsLong() - usedBytes);
    }

    private static void counter(SeriesWriter out, String name, String help, LongAdder value) {
        out.counter(name, help).sample(value.sum());
    }
}
