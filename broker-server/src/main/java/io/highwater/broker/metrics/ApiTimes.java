package io.highwater.broker.metrics;

/** How long the requests of one API took, in nanoseconds, in the phases that Kafka names. Hot. */
final class ApiTimes {
    private static final double NANOS_PER_MS = 1e6;
    private static final double[] QUANTILES = {0.5, 0.75, 0.95, 0.98, 0.99, 0.999};
    private static final String[] QUANTILE_LABELS = {"0.50", "0.75", "0.95", "0.98", "0.99", "0.999"};

    private final Histogram total = new Histogram();
    private final Histogram local = new Histogram();
    private final Histogram remote = new Histogram();
    private final Histogram responseQueue = new Histogram();

    void record(long arrivalNanos, long handledNanos, long answeredNanos, long writtenNanos) {
        // A handler that completes its future early answers before it returns.
        long localEndNanos = Math.min(handledNanos, answeredNanos);
        local.record(localEndNanos - arrivalNanos);
        remote.record(answeredNanos - localEndNanos);
        responseQueue.record(writtenNanos - answeredNanos);
        total.record(writtenNanos - arrivalNanos);
    }

    /** The phases, in the order of {@link #write}. */
    enum Phase {
        TOTAL("totaltimems", "from the last byte of the request to the write of the answer"),
        LOCAL("localtimems", "in the handler"),
        REMOTE("remotetimems", "waiting for others: replicas, records, the controller, disk workers"),
        RESPONSE_QUEUE("responsequeuetimems", "answered and waiting for earlier answers of the same connection");

        final String family;
        final String help;

        Phase(String name, String help) {
            this.family = "kafka_network_requestmetrics_" + name;
            this.help = "Milliseconds " + help + ", over the last one to two minutes";
        }
    }

    void write(SeriesWriter out, Phase phase, String api, long nowNanos) {
        Histogram histogram = histogram(phase);
        double[] values = histogram.quantiles(QUANTILES, nowNanos);
        for (int i = 0; i < values.length; i++) {
            out.sample(values[i] / NANOS_PER_MS, "request", api, "quantile", QUANTILE_LABELS[i]);
        }
        out.part("_sum", histogram.sum() / NANOS_PER_MS, "request", api);
        out.part("_count", histogram.count(), "request", api);
    }

    private Histogram histogram(Phase phase) {
        return switch (phase) {
            case TOTAL -> total;
            case LOCAL -> local;
            case REMOTE -> remote;
            case RESPONSE_QUEUE -> responseQueue;
        };
    }
}
