package io.highwater.broker.metrics;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Replicas, their logs and their in-sync replicas: series of each replica and totals of the broker. Each scrape looks at every replica once, so
 * that what it says of one fits together. Recording is for any thread.
 */
public final class ReplicaMetrics implements SeriesSource {
    private static final String MANAGER = "kafka_server_replicamanager_";
    private static final String PARTITION = "kafka_cluster_partition_";
    private static final String LOG = "kafka_log_log_";
    private static final double MS_PER_SECOND = 1e3;
    private static final String FOLLOWER = "follower";

    private final LongAdder laggards = new LongAdder();
    private final LongAdder disconnected = new LongAdder();
    private final LongAdder expands = new LongAdder();
    private final LongAdder reigns = new LongAdder();
    private final LongAdder failedUpdates = new LongAdder();
    private final LatencyHistogram commits = new LatencyHistogram();
    private volatile Supplier<? extends Collection<ReplicaSample>> samples = List::of;
    private volatile Collection<ReplicaSample> latest = List.of();
    private volatile IntSupplier offline = () -> 0;

    /** Starts with nothing counted and no replicas. */
    public ReplicaMetrics() {}

    /**
     * Says where to look at the replicas.
     *
     * @param newSamples looks at those that work, all anew
     * @param newOffline how many should be here and are not because of their disk
     */
    public void watch(Supplier<? extends Collection<ReplicaSample>> newSamples, IntSupplier newOffline) {
        samples = newSamples;
        offline = newOffline;
    }

    /** The controller has agreed to go on without a replica that had not caught up for too long. */
    public void shrunkByLag() {
        laggards.increment();
    }

    /** The controller has agreed to go on without a replica whose connection had gone. */
    public void shrunkByDisconnection() {
        disconnected.increment();
    }

    /** The controller has agreed to take a replica in. */
    public void expanded() {
        expands.increment();
    }

    /** The controller has refused a change of the in-sync replicas. */
    public void updateFailed() {
        failedUpdates.increment();
    }

    /** A reign of this broker over a partition has begun. */
    public void ledAnew() {
        reigns.increment();
    }

    /** Records that were to be replicated before their producer is answered are committed, so long after they were appended. Hot. */
    public void committed(long afterNanos) {
        commits.record(afterNanos);
    }

    /** What this scrape has seen, for those who tell it by other names. */
    Collection<ReplicaSample> latest() {
        return latest;
    }

    /** The scrape is over. */
    void forget() {
        latest = List.of();
    }

    @Override
    public void writeTo(SeriesWriter out) {
        Collection<ReplicaSample> now = samples.get();
        latest = now;
        writeTotals(out, now);
        writeInSync(out, now);
        writeLogs(out, now);
        writeFollowers(out, now);
        writeFollowing(out, now);
        writeChanges(out);
        commits.write(
                out,
                "highwater_commit_latency_seconds",
                "Time from the append of acks=all records to the leader's log to their commit");
    }

    private void writeTotals(SeriesWriter out, Collection<ReplicaSample> now) {
        total(out, "partitioncount", "Replicas on this broker", now.size() + (long) offline.getAsInt());
        total(out, "leadercount", "Partitions that this broker leads", count(now, ReplicaSample::leading));
        total(
                out,
                "underreplicatedpartitions",
                "Partitions led here with fewer in-sync replicas than replicas",
                count(now, ReplicaSample::isUnderReplicated));
        total(
                out,
                "underminisrpartitioncount",
                "Partitions led here that refuse acks=all: fewer in-sync replicas than min.insync.replicas",
                count(now, ReplicaSample::isUnderMinIsr));
        total(
                out,
                "atminisrpartitioncount",
                "Partitions led here with exactly min.insync.replicas in sync: one failure more refuses writes",
                count(now, ReplicaSample::isAtMinIsr));
        total(out, "offlinereplicacount", "Replicas whose log directory does not work", offline.getAsInt());
        total(
                out,
                "reassigningpartitions",
                "Partitions led here that are being reassigned",
                count(now, sample -> sample.leadership().reassigning()));
        total(
                out,
                "produceridcount",
                "Idempotent producers remembered, counted in each partition they write to",
                now.stream().mapToLong(ReplicaSample::producers).sum());
    }

    private static long count(Collection<ReplicaSample> now, Predicate<ReplicaSample> which) {
        return now.stream().filter(which).count();
    }

    private static void total(SeriesWriter out, String name, String help, long value) {
        out.gauge(MANAGER + name, help).sample(value);
        if (out.dialects().has(Dialects.Dialect.B)) {
            out.gauge(MANAGER + "total_" + name + "_value", help).sample(value);
        }
    }

    private static void writeInSync(SeriesWriter out, Collection<ReplicaSample> now) {
        each(
                out,
                PARTITION + "underreplicated",
                "1 on the leader if in-sync replicas are missing",
                now,
                sample -> sample.isUnderReplicated() ? 1 : 0);
        each(
                out,
                PARTITION + "underminisr",
                "1 on the leader if writes with acks=all are refused",
                now,
                sample -> sample.isUnderMinIsr() ? 1 : 0);
        each(
                out,
                PARTITION + "atminisr",
                "1 on the leader if one failure more leads to refused writes",
                now,
                sample -> sample.isAtMinIsr() ? 1 : 0);
        each(
                out,
                PARTITION + "insyncreplicascount",
                "In-sync replicas, 0 where it is not led",
                now,
                sample -> sample.leadership().inSyncReplicas());
        each(
                out,
                PARTITION + "replicascount",
                "Replicas, 0 where it is not led",
                now,
                sample -> sample.leadership().replicas());
        each(
                out,
                PARTITION + "laststableoffsetlag",
                "Committed records behind the first open transaction",
                now,
                sample -> sample.highWatermark() - sample.lastStableOffset());
        each(
                out,
                "highwater_partition_leader_epoch",
                "Reign of the leader that this replica knows",
                now,
                ReplicaSample::leaderEpoch);
    }

    private static void writeLogs(SeriesWriter out, Collection<ReplicaSample> now) {
        each(out, LOG + "size", "Bytes of its segments", now, ReplicaSample::sizeBytes);
        each(
                out,
                LOG + "retentionsizein_percent",
                "Its size in percent of retention.bytes, 0 if that is no limit",
                now,
                ReplicaSample::retentionPercent);
        each(out, LOG + "numlogsegments", "Segments of the log", now, ReplicaSample::segments);
        each(out, LOG + "logstartoffset", "First offset kept", now, ReplicaSample::logStartOffset);
        each(out, LOG + "logendoffset", "Next offset to be written", now, ReplicaSample::logEndOffset);
        each(
                out,
                LOG + "highwatermark",
                "All below this offset is committed, as far as this replica knows",
                now,
                ReplicaSample::highWatermark);
        each(
                out,
                LOG + "laststableoffset",
                "Below this offset no transaction is open",
                now,
                ReplicaSample::lastStableOffset);
    }

    private static void each(
            SeriesWriter out,
            String name,
            String help,
            Collection<ReplicaSample> now,
            ToLongFunction<ReplicaSample> value) {
        out.gauge(name, help);
        for (ReplicaSample sample : now) {
            out.partition(sample.topic(), sample.partition(), value.applyAsLong(sample));
        }
    }

    private static void writeFollowers(SeriesWriter out, Collection<ReplicaSample> now) {
        out.gauge(
                "highwater_follower_lag_records",
                "On the leader: records that a follower does not hold, -1 if it has not fetched yet");
        for (ReplicaSample sample : now) {
            for (ReplicaSample.Follower follower : sample.leadership().followers()) {
                out.partition(sample.topic(), sample.partition(), FOLLOWER, follower.broker(), follower.lagRecords());
            }
        }
        out.gauge(
                "highwater_follower_lag_seconds",
                "On the leader, to the millisecond: time since a follower was caught up, 0 if it is, -1 if never");
        for (ReplicaSample sample : now) {
            for (ReplicaSample.Follower follower : sample.leadership().followers()) {
                double seconds = follower.lagMs() < 0 ? -1 : follower.lagMs() / MS_PER_SECOND;
                out.partition(sample.topic(), sample.partition(), FOLLOWER, follower.broker(), seconds);
            }
        }
    }

    private static void writeFollowing(SeriesWriter out, Collection<ReplicaSample> now) {
        out.gauge(
                "kafka_server_fetcherlagmetrics_consumerlag",
                "On a follower: committed records that its leader had and it had not when it last fetched");
        long most = 0;
        Map<Integer, String> clientIds = new HashMap<>();
        for (ReplicaSample sample : now) {
            if (sample.behindRecords() >= 0 && sample.leader() >= 0) {
                most = Math.max(most, sample.behindRecords());
                out.sample(
                        sample.behindRecords(),
                        "clientId",
                        clientIds.computeIfAbsent(
                                sample.leader(), leader -> FetcherMetrics.Fetcher.clientId(0, leader)),
                        "topic",
                        sample.topic(),
                        "partition",
                        Integer.toString(sample.partition()));
            }
        }
        out.gauge("kafka_server_replicafetchermanager_maxlag", "The largest of those lags")
                .sample(most, "clientId", "Replica");
    }

    private void writeChanges(SeriesWriter out) {
        long byLag = laggards.sum();
        long byDisconnection = disconnected.sum();
        long joined = expands.sum();
        out.meter(
                MANAGER + "isrshrinks",
                "Removals from in-sync replicas that the controller agreed to",
                family -> family.sample(byLag + byDisconnection));
        out.meter(
                MANAGER + "isrexpands",
                "Additions to in-sync replicas that the controller agreed to",
                family -> family.sample(joined));
        out.meter(
                MANAGER + "failedisrupdates",
                "Changes of in-sync replicas that the controller refused",
                family -> family.sample(failedUpdates.sum()));
        out.counter(
                        "highwater_leader_elections_total",
                        "Reigns over partitions that began on this broker; in all brokers together, elections")
                .sample(reigns.sum());
        out.counter("highwater_isr_changes_total", "Changes of in-sync replicas as this leader asked for, by cause")
                .sample(byLag, "direction", "shrink", "reason", "lagging")
                .sample(byDisconnection, "direction", "shrink", "reason", "disconnected")
                .sample(joined, "direction", "expand", "reason", "caught_up");
    }
}
