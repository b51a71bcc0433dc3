package io.highwater.broker.metrics;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** What is counted of the requests that go by one name. Recording is hot and for any thread. */
final class RequestCounts implements ErrorCodes.Sink {
    static final String REQUESTS = "kafka_network_requestmetrics_requests";
    static final String ERRORS = "kafka_network_requestmetrics_errors";

    /** Versions counted apart from each other; the last place counts all that lie outside. */
    private static final int MAX_VERSIONS = 64;

    private static final int OTHER_VERSIONS = MAX_VERSIONS - 1;
    private static final int LOWEST_CODE = Errors.UNKNOWN_SERVER_ERROR.code();
    private static final int HIGHEST_CODE =
            Arrays.stream(Errors.values()).mapToInt(Errors::code).max().orElse(LOWEST_CODE);

    private final String name;
    private final AtomicReferenceArray<@Nullable LongAdder> byVersion = new AtomicReferenceArray<>(MAX_VERSIONS);
    private final AtomicReferenceArray<@Nullable LongAdder> byError =
            new AtomicReferenceArray<>(HIGHEST_CODE - LOWEST_CODE + 1);
    private final ApiTimes times = new ApiTimes();

    RequestCounts(String name) {
        this.name = name;
    }

    void received(short version, int sizeBytes) {
        times.received(sizeBytes);
        increment(byVersion, version >= 0 && version < OTHER_VERSIONS ? version : OTHER_VERSIONS);
    }

    void answered(AnsweredRequest request, long writtenNanos) {
        times.record(request.arrivalNanos(), request.handledNanos(), request.answeredNanos(), writtenNanos);
    }

    void sent(long nanos) {
        times.sent(nanos);
    }

    /** Counts an error code; one that nobody knows as UNKNOWN_SERVER_ERROR. */
    @Override
    public void take(short code) {
        increment(byError, code >= LOWEST_CODE && code <= HIGHEST_CODE ? code - LOWEST_CODE : 0);
    }

    private static void increment(AtomicReferenceArray<@Nullable LongAdder> counters, int place) {
        LongAdder counter = counters.get(place);
        if (counter == null) {
            counters.compareAndSet(place, null, new LongAdder());
            increment(counters, place);
            return;
        }
        counter.increment();
    }

    void writeRequests(SeriesWriter out) {
        for (int place = 0; place < MAX_VERSIONS; place++) {
            LongAdder counter = byVersion.get(place);
            if (counter != null) {
                String version = place == OTHER_VERSIONS ? "unknown" : String.valueOf(place);
                out.sample(counter.sum(), "request", name, "version", version);
            }
        }
    }

    void writeErrors(SeriesWriter out) {
        for (int place = 0; place < byError.length(); place++) {
            LongAdder counter = byError.get(place);
            if (counter != null) {
                Errors error = Errors.forCode((short) (place + LOWEST_CODE));
                out.sample(counter.sum(), "request", name, "error", error.name());
            }
        }
    }

    void writeTimes(SeriesWriter out, ApiTimes.Phase phase, long nowNanos) {
        times.write(out, phase, name, nowNanos);
    }
}
