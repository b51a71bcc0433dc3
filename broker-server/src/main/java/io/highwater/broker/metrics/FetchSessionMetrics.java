package io.highwater.broker.metrics;

import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Incremental fetch sessions.
 *
 * @param sessions how many there are
 * @param partitions how many partitions they hold together
 * @param evictions how many had to make place
 */
public record FetchSessionMetrics(IntSupplier sessions, LongSupplier partitions, LongSupplier evictions)
        implements SeriesSource {
    private static final String CACHE = "kafka_server_fetchsessioncache_";

    @Override
    public void writeTo(SeriesWriter out) {
        out.gauge(CACHE + "numincrementalfetchsessions", "Incremental fetch sessions that are open")
                .sample((long) sessions.getAsInt());
        out.gauge(CACHE + "numincrementalfetchpartitionscached", "Partitions in all sessions together")
                .sample(partitions.getAsLong());
        out.meter(
                CACHE + "incrementalfetchsessionevictions",
                "Sessions that had to make place for others",
                family -> family.sample(evictions.getAsLong()));
    }
}
