package io.highwater.broker.metrics;

import org.jspecify.annotations.Nullable;

/** How long the requests of one API took, in nanoseconds, in the phases that Kafka names, and how large they were. Hot. */
final class ApiTimes {
    private static final double NANOS_PER_MS = 1e6;

    private final Histogram total = new Histogram();
    private final Histogram local = new Histogram();
    private final Histogram remote = new Histogram();
    private final Histogram responseQueue = new Histogram();
    private final Histogram responseSend = new Histogram();
    private final Histogram bytes = new Histogram();

    void record(long arrivalNanos, long handledNanos, long answeredNanos, long writtenNanos) {
        // A handler that completes its future early answers before it returns.
        long localEndNanos = Math.min(handledNanos, answeredNanos);
        local.record(localEndNanos - arrivalNanos);
        remote.record(answeredNanos - localEndNanos);
        responseQueue.record(writtenNanos - answeredNanos);
        total.record(writtenNanos - arrivalNanos);
    }

    void received(int sizeBytes) {
        bytes.record(sizeBytes);
    }

    void sent(long nanos) {
        responseSend.record(nanos);
    }

    /** The families, in the order of {@link #write}. */
    enum Phase {
        TOTAL(
                "totaltimems",
                "Milliseconds from the last byte of the request to the write of the answer" + Phase.WINDOW),
        REQUEST_QUEUE("requestqueuetimems", "Always 0: a request is handled by the event loop that read it, at once"),
        LOCAL("localtimems", "Milliseconds in the handler" + Phase.WINDOW),
        REMOTE(
                "remotetimems",
                "Milliseconds waiting for others: replicas, records, the controller, disk workers" + Phase.WINDOW),
        THROTTLE("throttletimems", "Always 0: clients are not held back by quotas"),
        RESPONSE_QUEUE(
                "responsequeuetimems",
                "Milliseconds answered and waiting for earlier answers of the same connection" + Phase.WINDOW),
        RESPONSE_SEND(
                "responsesendtimems",
                "Milliseconds until the socket had taken the answer, of one answer in 16 of each connection"
                        + Phase.WINDOW),
        BYTES("requestbytes", "Bytes of requests" + Phase.WINDOW);

        private static final String WINDOW = ", over the last one to two minutes";

        final String family;
        final String help;

        Phase(String name, String help) {
            this.family = "kafka_network_requestmetrics_" + name;
            this.help = help;
        }
    }

    void write(SeriesWriter out, Phase phase, String api, long nowNanos) {
        Histogram histogram = histogram(phase);
        if (histogram != null) {
            histogram.write(out, phase == Phase.BYTES ? 1 : NANOS_PER_MS, nowNanos, "request", api);
        } else {
            Histogram.writeZero(out, total.count(), "request", api);
        }
    }

    /** Null for phases that no request is ever in. */
    private @Nullable Histogram histogram(Phase phase) {
        return switch (phase) {
            case TOTAL -> total;
            case LOCAL -> local;
            case REMOTE -> remote;
            case RESPONSE_QUEUE -> responseQueue;
            case RESPONSE_SEND -> responseSend;
            case BYTES -> bytes;
            case REQUEST_QUEUE, THROTTLE -> null;
        };
    }
}
