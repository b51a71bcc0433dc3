package io.highwater.broker.metrics;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The follower's side: fetchers, one for each leader and number. Each is a place on an event loop, and no thread. */
public final class FetcherMetrics implements SeriesSource {
    private static final String STATS = "kafka_server_fetcherstats_";

    private final Supplier<List<Fetcher>> fetchers;
    private final Map<String, ScrapeRate> rates = new HashMap<>();

    /** @param fetchers looks at them */
    public FetcherMetrics(Supplier<List<Fetcher>> fetchers) {
        this.fetchers = fetchers;
    }

    /**
     * One fetcher.
     *
     * @param leader the broker it fetches from
     * @param number among those of that leader
     * @param requests fetches answered so far
     * @param bytes of records so far
     */
    public record Fetcher(int leader, int number, long requests, long bytes) {
        /** As Kafka would call its thread. */
        String clientId() {
            return clientId(number, leader);
        }

        static String clientId(int number, int leader) {
            return "ReplicaFetcherThread-" + number + "-" + leader;
        }
    }

    @Override
    public void writeTo(SeriesWriter out) {
        List<Fetcher> now = fetchers.get();
        out.meter(STATS + "requests", "Fetches that a leader has answered", family -> {
            now.forEach(each -> family.sample(each.requests, "clientId", each.clientId(), "broker", "" + each.leader));
        });
        out.meter(STATS + "bytes", "Bytes of records that a leader has given", family -> {
            now.forEach(each -> family.sample(each.bytes, "clientId", each.clientId(), "broker", "" + each.leader));
        });
        String manager = "kafka_server_replicafetchermanager_";
        out.gauge(manager + "minfetchrate", "Fetches per second of the slowest fetcher, 0 if there is none")
                .sample(slowest(now), "clientId", "Replica");
        out.gauge(manager + "deadthreadcount", "Always 0: fetchers are no threads")
                .sample(0L, "clientId", "Replica");
        out.gauge(manager + "failedpartitionscount", "Always 0: a fetcher does not give a partition up")
                .sample(0L, "clientId", "Replica");
    }

    private double slowest(List<Fetcher> now) {
        long nowNanos = System.nanoTime();
        rates.keySet().retainAll(now.stream().map(Fetcher::clientId).toList());
        return now.stream()
                .mapToDouble(each -> rates.computeIfAbsent(each.clientId(), absent -> new ScrapeRate(nowNanos))
                        .at(each.requests, nowNanos))
                .min()
                .orElse(0);
    }
}
