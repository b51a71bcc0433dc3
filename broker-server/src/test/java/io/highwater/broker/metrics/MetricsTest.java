package io.highwater.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetricsTest {
    private static final Pattern LINE = Pattern.compile(
            "# (HELP|TYPE) [a-z_0-9]+ .+|[a-z_0-9]+(\\{([a-zA-Z_]+=\"([^\"\\\\]|\\\\.)*\",?)+})? -?[0-9.eE+-]+|.* NaN|.*Inf");

    private final Metrics metrics = new Metrics();

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void theTextIsWellFormedAndEveryFamilyIsStartedOnce() {
        metrics.network().opened("PLAINTEXT");
        metrics.network().received(ApiKeys.FETCH, (short) 18, 100);
        metrics.network().answered(ApiKeys.FETCH, 0, 1_000_000, 3_000_000, 4_000_000, 1_000);
        metrics.traffic().produced("a topic \"with\" a \\ and\nlines", 10, 1);

        List<String> lines = metrics.scrape().lines().toList();

        assertThat(lines).allSatisfy(line -> assertThat(line).matches(LINE));
        assertThat(lines.stream().filter(line -> line.startsWith("# TYPE"))).doesNotHaveDuplicates();
    }

    @Test
    void requestsAreCountedByApiAndVersionAndTimedByPhase() {
        metrics.network().received(ApiKeys.FETCH, (short) 18, 96);
        metrics.network().received(ApiKeys.FETCH, (short) 18, 96);
        metrics.network().answered(ApiKeys.FETCH, 0, 1_000_000, 3_000_000, 4_000_000, 1_000);

        assertThat(metrics.scrape())
                .contains("kafka_network_requestmetrics_requests_total{request=\"Fetch\",version=\"18\"} 2\n")
                .contains("kafka_network_requestmetrics_totaltimems_count{request=\"Fetch\"} 1\n")
                .contains("kafka_network_requestmetrics_totaltimems_sum{request=\"Fetch\"} 4.0\n")
                .contains("kafka_network_requestmetrics_localtimems_sum{request=\"Fetch\"} 1.0\n")
                .contains("kafka_network_requestmetrics_remotetimems_sum{request=\"Fetch\"} 2.0\n")
                .contains("kafka_network_requestmetrics_responsequeuetimems_sum{request=\"Fetch\"} 1.0\n")
                .contains("highwater_network_bytes_in_total 200\n")
                .contains("highwater_network_bytes_out_total 1000\n");
    }

    @Test
    void aTopicThatIsForgottenHasNoSeries() {
        metrics.traffic().produced("kept", 10, 1);
        metrics.traffic().produced("gone", 5, 1);

        metrics.traffic().forget("gone");

        assertThat(metrics.scrape())
                .contains("kafka_server_brokertopicmetrics_bytesin_total 15\n")
                .contains("kafka_server_brokertopicmetrics_bytesin_total{topic=\"kept\"} 10\n")
                .doesNotContain("gone");
    }

    @Test
    void theJvmAndTheProcessAreThere() {
        assertThat(metrics.scrape()).contains("jvm_memory_used_bytes", "process_uptime_seconds", "process_files_open");
    }
}
