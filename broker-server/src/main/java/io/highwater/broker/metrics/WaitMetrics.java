package io.highwater.broker.metrics;

import java.util.concurrent.atomic.LongAdder;

/** Requests that wait for something to happen: what Kafka calls its purgatories. Hot; any thread. */
public final class WaitMetrics implements SeriesSource {
    private final Kind produce = new Kind();
    private final Kind fetch = new Kind();
    private final Kind deleteRecords = new Kind();
    private final LongAdder consumersExpired = new LongAdder();
    private final LongAdder followersExpired = new LongAdder();

    WaitMetrics() {}

    /** One kind of request. */
    public static final class Kind {
        private final LongAdder waiting = new LongAdder();
        private final LongAdder expired = new LongAdder();

        private Kind() {}

        /** One waits; one {@link #answered} or {@link #expired} follows. */
        public void parked() {
            waiting.increment();
        }

        /** One waits no more. */
        public void answered() {
            waiting.decrement();
        }

        /** One waits no more, because its time was over. */
        public void expired() {
            waiting.decrement();
            expired.increment();
        }
    }

    /** Writes that wait for in-sync replicas. */
    public Kind produce() {
        return produce;
    }

    /** Fetches that wait for records; when their time is over, say {@link #fetchExpired} too. */
    public Kind fetch() {
        return fetch;
    }

    /** Deletions that wait for replicas. */
    public Kind deleteRecords() {
        return deleteRecords;
    }

    /** A fetch is answered with less than it asked for, because its time was over. */
    public void fetchExpired(boolean follower) {
        (follower ? followersExpired : consumersExpired).increment();
    }

    @Override
    public void writeTo(SeriesWriter out) {
        write(out.gauge("kafka_server_delayedoperationpurgatory_purgatorysize", "Requests that wait"));
        write(out.gauge("kafka_server_delayedoperationpurgatory_numdelayedoperations", "Requests that wait"));
        out.meter(
                "kafka_server_delayedproducemetrics_expires",
                "Writes with acks=all whose time was over before they were committed",
                family -> family.sample(produce.expired.sum()));
        out.meter(
                "kafka_server_delayedfetchmetrics_expires",
                "Fetches answered with what there was when their time was over",
                family -> family.sample(consumersExpired.sum(), "fetcherType", "consumer")
                        .sample(followersExpired.sum(), "fetcherType", "follower"));
    }

    private void write(SeriesWriter out) {
        out.sample(produce.waiting.sum(), "delayedOperation", "Produce")
                .sample(fetch.waiting.sum(), "delayedOperation", "Fetch")
                .sample(deleteRecords.waiting.sum(), "delayedOperation", "DeleteRecords");
    }
}
