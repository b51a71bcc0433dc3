package io.highwater.broker.metrics;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** All series of one broker. Any thread. */
public final class Metrics {
    private final Dialects dialects;
    private final List<SeriesSource> sources = new CopyOnWriteArrayList<>();
    private final NetworkMetrics network = new NetworkMetrics();
    private final TrafficMetrics traffic = new TrafficMetrics();
    private final ReplicaMetrics replicas = new ReplicaMetrics();
    private final WaitMetrics waits = new WaitMetrics();
    private final DiskMetrics disk = new DiskMetrics();

    /** Starts with the series of the network, of records and replicas, of the JVM and the process. */
    public Metrics(Dialects dialects) {
        this.dialects = dialects;
        sources.add(replicas);
        sources.add(traffic);
        sources.add(network);
        sources.add(waits);
        sources.add(disk);
        sources.add(new JvmMetrics());
    }

    /** Adds series. */
    public void add(SeriesSource source) {
        sources.add(source);
    }

    /** Requests, connections and their bytes. */
    public NetworkMetrics network() {
        return network;
    }

    /** Records in and out, by topic. */
    public TrafficMetrics traffic() {
        return traffic;
    }

    /** Replicas and their logs. */
    public ReplicaMetrics replicas() {
        return replicas;
    }

    /** Requests that wait. */
    public WaitMetrics waits() {
        return waits;
    }

    /** Log directories and flushes. */
    public DiskMetrics disk() {
        return disk;
    }

    /** Writes all series in Prometheus' text format 0.0.4; one scrape at a time. Not for event loops: it takes a while. */
    public synchronized void scrape(SeriesWriter.Sink sink) {
        SeriesWriter writer = new SeriesWriter(dialects, sink);
        try {
            for (SeriesSource source : sources) {
                source.writeTo(writer);
            }
            writer.end();
        } finally {
            replicas.forget();
        }
    }

    /** As {@link #scrape(SeriesWriter.Sink)}, in one string. */
    public String scrape() {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        scrape((bytes, length) -> text.write(bytes, 0, length));
        return text.toString(StandardCharsets.UTF_8);
    }
}
