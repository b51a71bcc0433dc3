package io.highwater.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.metrics.ReplicaSample.Follower;
import io.highwater.broker.metrics.ReplicaSample.Leadership;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReplicaMetricsTest {
    private final Metrics metrics = new Metrics(Dialects.usual());

    @Test
    void aLeaderWithAllInSyncHasNothingToComplainOf() {
        show(led(3, 0, 3, 2));

        assertThat(metrics.scrape())
                .contains("kafka_cluster_partition_underreplicated{topic=\"orders\",partition=\"0\"} 0\n")
                .contains("kafka_cluster_partition_atminisr{topic=\"orders\",partition=\"0\"} 0\n")
                .contains("kafka_cluster_partition_underminisr{topic=\"orders\",partition=\"0\"} 0\n")
                .contains("kafka_server_replicamanager_leadercount 1\n")
                .contains("kafka_server_replicamanager_underreplicatedpartitions 0\n");
    }

    @Test
    void atTheMinimumOneFailureMoreRefusesWrites() {
        show(led(3, 0, 2, 2));

        assertThat(metrics.scrape())
                .contains("kafka_cluster_partition_underreplicated{topic=\"orders\",partition=\"0\"} 1\n")
                .contains("kafka_cluster_partition_atminisr{topic=\"orders\",partition=\"0\"} 1\n")
                .contains("kafka_cluster_partition_underminisr{topic=\"orders\",partition=\"0\"} 0\n")
                .contains("kafka_server_replicamanager_atminisrpartitioncount 1\n");
    }

    @Test
    void belowTheMinimumItIsNotAtIt() {
        show(led(3, 0, 1, 2));

        assertThat(metrics.scrape())
                .contains("kafka_cluster_partition_atminisr{topic=\"orders\",partition=\"0\"} 0\n")
                .contains("kafka_cluster_partition_underminisr{topic=\"orders\",partition=\"0\"} 1\n")
                .contains("kafka_server_replicamanager_underminisrpartitioncount 1\n");
    }

    @Test
    void aReplicaThatIsOnlyBeingAddedIsNotMissing() {
        show(led(4, 1, 3, 2));

        assertThat(metrics.scrape())
                .contains("kafka_cluster_partition_underreplicated{topic=\"orders\",partition=\"0\"} 0\n")
                .contains("kafka_server_replicamanager_reassigningpartitions 1\n");
    }

    @Test
    void aFollowerComplainsOfNothing() {
        show(new ReplicaSample("orders", 0, false, 2, 4, 0, 90, 95, 100, 1_000, 40, 2, 1, 7, Leadership.NONE));

        assertThat(metrics.scrape())
                .contains("kafka_cluster_partition_underreplicated{topic=\"orders\",partition=\"0\"} 0\n")
                .contains("kafka_cluster_partition_atminisr{topic=\"orders\",partition=\"0\"} 0\n")
                .contains("kafka_log_log_retentionsizein_percent{topic=\"orders\",partition=\"0\"} 40\n")
                .contains("kafka_cluster_partition_replicascount{topic=\"orders\",partition=\"0\"} 0\n")
                .contains(
                        "kafka_server_fetcherlagmetrics_consumerlag{clientId=\"ReplicaFetcherThread-0-2\",topic=\"orders\",partition=\"0\"}"
                                + " 7\n")
                .contains("kafka_server_replicafetchermanager_maxlag{clientId=\"Replica\"} 7\n")
                .contains("kafka_server_replicamanager_partitioncount 1\n")
                .contains("kafka_server_replicamanager_leadercount 0\n");
    }

    @Test
    void whereALogStandsIsThere() {
        show(led(3, 0, 3, 2));

        assertThat(metrics.scrape())
                .contains("kafka_log_log_size{topic=\"orders\",partition=\"0\"} 1000\n")
                .contains("kafka_log_log_numlogsegments{topic=\"orders\",partition=\"0\"} 2\n")
                .contains("kafka_log_log_logstartoffset{topic=\"orders\",partition=\"0\"} 0\n")
                .contains("kafka_log_log_logendoffset{topic=\"orders\",partition=\"0\"} 100\n")
                .contains("kafka_log_log_highwatermark{topic=\"orders\",partition=\"0\"} 95\n")
                .contains("kafka_cluster_partition_laststableoffsetlag{topic=\"orders\",partition=\"0\"} 5\n")
                .contains("highwater_follower_lag_records{topic=\"orders\",partition=\"0\",follower=\"2\"} 5\n")
                .contains("highwater_follower_lag_seconds{topic=\"orders\",partition=\"0\",follower=\"2\"} 0.012\n");
    }

    @Test
    void changesOfTheInSyncReplicasAreCountedByCause() {
        metrics.replicas().shrunkByLag();
        metrics.replicas().shrunkByDisconnection();
        metrics.replicas().expanded();
        metrics.replicas().updateFailed();

        assertThat(metrics.scrape())
                .contains("kafka_server_replicamanager_isrshrinks_total 2\n")
                .contains("kafka_server_replicamanager_isrexpands_total 1\n")
                .contains("kafka_server_replicamanager_failedisrupdates_total 1\n")
                .contains("highwater_isr_changes_total{direction=\"shrink\",reason=\"disconnected\"} 1\n");
    }

    @Test
    void commitsAreInTheBucketsUpToTheirLatency() {
        metrics.replicas().committed(0);
        metrics.replicas().committed(TimeUnit.MILLISECONDS.toNanos(3));
        metrics.replicas().committed(TimeUnit.SECONDS.toNanos(60));

        assertThat(metrics.scrape())
                .contains("highwater_commit_latency_seconds_bucket{le=\"0.0001\"} 1\n")
                .contains("highwater_commit_latency_seconds_bucket{le=\"0.002\"} 1\n")
                .contains("highwater_commit_latency_seconds_bucket{le=\"0.005\"} 2\n")
                .contains("highwater_commit_latency_seconds_bucket{le=\"30\"} 2\n")
                .contains("highwater_commit_latency_seconds_bucket{le=\"+Inf\"} 3\n")
                .contains("highwater_commit_latency_seconds_sum 60.003\n")
                .contains("highwater_commit_latency_seconds_count 3\n");
    }

    /** Every third of them led, with two followers: more than a dozen series each. */
    @Test
    void fortyThousandReplicasCostLessThanASecondAndTwentyMegabytes() {
        metrics.replicas().watch(ReplicaMetricsTest::fortyThousand, () -> 0);
        Counting sink = new Counting();
        for (int warm = 0; warm < 3; warm++) {
            metrics.scrape(sink);
        }
        sink.lines = 0;
        sink.bytes = 0;
        long allocatedBefore = allocatedBytes();
        long startNanos = threads().getCurrentThreadCpuTime();

        metrics.scrape(sink);

        // Of this thread on a processor: the machine may have other things to do.
        long ms = TimeUnit.NANOSECONDS.toMillis(threads().getCurrentThreadCpuTime() - startNanos);
        long garbage = allocatedBytes() - allocatedBefore;
        System.out.printf(
                "%,d lines, %,d bytes of text in %d ms, %,d bytes allocated%n", sink.lines, sink.bytes, ms, garbage);
        assertThat(sink.lines).isGreaterThan(40_000 * 6);
        assertThat(ms).isLessThan(1_000);
        assertThat(garbage).isLessThan(20_000_000);
    }

    private static final class Counting implements SeriesWriter.Sink {
        private long lines;
        private long bytes;

        @Override
        public void take(byte[] text, int length) {
            bytes += length;
            for (int i = 0; i < length; i++) {
                if (text[i] == '\n') {
                    lines++;
                }
            }
        }
    }

    private static com.sun.management.ThreadMXBean threads() {
        return (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    }

    private static long allocatedBytes() {
        return threads().getCurrentThreadAllocatedBytes();
    }

    private static List<ReplicaSample> fortyThousand() {
        List<ReplicaSample> samples = new ArrayList<>();
        for (int topic = 0; topic < 400; topic++) {
            String name = ("a-topic-with-a-name-of-the-usual-length-" + topic).intern();
            for (int partition = 0; partition < 100; partition++) {
                boolean leads = partition % 3 == 0;
                List<Follower> followers = new ArrayList<>(List.of(new Follower(2, 5, 12), new Follower(3, 0, 0)));
                samples.add(new ReplicaSample(
                        name,
                        partition,
                        leads,
                        2,
                        7,
                        1_000_000,
                        123_456_789,
                        123_456_789,
                        123_456_800,
                        1L << 33,
                        0,
                        9,
                        3,
                        leads ? -1 : 0,
                        leads ? new Leadership(3, 0, false, 3, 2, true, followers) : Leadership.NONE));
            }
        }
        return samples;
    }

    private void show(ReplicaSample sample) {
        metrics.replicas().watch(() -> List.of(sample), () -> 0);
    }

    private static ReplicaSample led(int replicas, int adding, int inSync, int minInSync) {
        return new ReplicaSample(
                "orders",
                0,
                true,
                1,
                4,
                0,
                90,
                95,
                100,
                1_000,
                40,
                2,
                1,
                -1,
                new Leadership(replicas, adding, adding > 0, inSync, minInSync, true, List.of(new Follower(2, 5, 12))));
    }
}
