package io.highwater.broker.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;

/** Connections, requests and their bytes. Recording is hot and for any thread. */
public final class NetworkMetrics implements SeriesSource {
    /** Versions counted apart from each other; the last place counts all that lie outside. */
    private static final int MAX_VERSIONS = 64;

    private static final int OTHER_VERSIONS = MAX_VERSIONS - 1;
    private static final int APIS = ApiKeys.values().length;

    private final AtomicReferenceArray<@Nullable ApiTimes> times = new AtomicReferenceArray<>(APIS);
    private final AtomicReferenceArray<@Nullable LongAdder> requests = new AtomicReferenceArray<>(APIS * MAX_VERSIONS);
    private final Map<String, LongAdder> openByListener = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> acceptedByListener = new ConcurrentHashMap<>();
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
        openByListener.computeIfAbsent(listener, name -> new LongAdder()).increment();
        acceptedByListener.computeIfAbsent(listener, name -> new LongAdder()).increment();
    }

    /** A connection has ended, for whatever reason. */
    public void closed(String listener) {
        openByListener.computeIfAbsent(listener, name -> new LongAdder()).decrement();
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
     * @param sizeBytes without the length in front
     */
    public void received(ApiKeys api, short version, int sizeBytes) {
        bytesIn.add(sizeBytes + (long) Integer.BYTES);
        int place = version >= 0 && version < OTHER_VERSIONS ? version : OTHER_VERSIONS;
        int index = api.id * MAX_VERSIONS + place;
        LongAdder counter = requests.get(index);
        if (counter == null) {
            requests.compareAndSet(index, null, new LongAdder());
            received(api, version, -Integer.BYTES);
            return;
        }
        counter.increment();
    }

    /**
     * A request has been answered; all times are {@link System#nanoTime()}.
     *
     * @param arrivalNanos its last byte was read
     * @param handledNanos the handler returned
     * @param answeredNanos the answer was known
     * @param writtenNanos the answer was handed to the socket
     * @param sizeBytes of the answer, length included; 0 if there was none
     */
    public void answered(
            ApiKeys api, long arrivalNanos, long handledNanos, long answeredNanos, long writtenNanos, long sizeBytes) {
        bytesOut.add(sizeBytes);
        ApiTimes times = this.times.get(api.id);
        if (times == null) {
            this.times.compareAndSet(api.id, null, new ApiTimes());
            answered(api, arrivalNanos, handledNanos, answeredNanos, writtenNanos, 0);
            return;
        }
        times.record(arrivalNanos, handledNanos, answeredNanos, writtenNanos);
    }

    @Override
    public void writeTo(SeriesWriter out) {
        writeRequests(out);
        writeTimes(out);
        writeConnections(out);
        writeTotals(out);
    }

    private void writeRequests(SeriesWriter out) {
        String family = "kafka_network_requestmetrics_requests_total";
        out.family(family, "counter", "Requests by API and version");
        for (int i = 0; i < requests.length(); i++) {
            LongAdder counter = requests.get(i);
            if (counter != null) {
                String api = ApiKeys.forId(i / MAX_VERSIONS).name;
                int place = i % MAX_VERSIONS;
                String version = place == OTHER_VERSIONS ? "unknown" : String.valueOf(place);
                out.sample(family, counter.sum(), "request", api, "version", version);
            }
        }
    }

    private void writeTimes(SeriesWriter out) {
        long nowNanos = System.nanoTime();
        for (ApiTimes.Phase phase : ApiTimes.Phase.values()) {
            out.family(phase.family, "summary", phase.help);
            for (int i = 0; i < APIS; i++) {
                ApiTimes each = times.get(i);
                if (each != null) {
                    each.write(out, phase, ApiKeys.forId(i).name, nowNanos);
                }
            }
        }
    }

    private void writeConnections(SeriesWriter out) {
        String open = "kafka_server_socket_server_metrics_connection_count";
        out.family(open, "gauge", "Connections that are open");
        openByListener.forEach((listener, count) -> out.sample(open, count.sum(), "listener", listener));
        String accepted = "kafka_server_socket_server_metrics_connection_creation_total";
        out.family(accepted, "counter", "Connections that were accepted");
        acceptedByListener.forEach((listener, count) -> out.sample(accepted, count.sum(), "listener", listener));
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
        String expired = "kafka_network_socketserver_expiredconnectionskilledcount";
        out.family(expired, "gauge", "Connections closed because they were idle")
                .sample(expired, closedIdle.sum());
        String used = "kafka_network_socketserver_memorypoolused";
        long usedBytes = memoryUsedBytes.getAsLong();
        out.family(used, "gauge", "Bytes of requests being received or handled").sample(used, usedBytes);
        String available = "kafka_network_socketserver_memorypoolavailable";
        out.family(available, "gauge", "Bytes of requests for which there is room")
                .sample(available, memoryLimitBytes.getAsLong() - usedBytes);
    }

    private static void counter(SeriesWriter out, String name, String help, LongAdder value) {
        out.family(name, "counter", help).sample(name, value.sum());
    }
}
