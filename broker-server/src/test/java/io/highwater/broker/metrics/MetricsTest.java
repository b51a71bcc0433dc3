package io.highwater.broker.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class MetricsTest {
    private static final Pattern LINE = Pattern.compile(
            "# (HELP|TYPE) [a-z_0-9]+ .+|[a-z_0-9]+(\\{([a-zA-Z_]+=\"([^\"\\\\]|\\\\.)*\",?)+})? -?[0-9.eE+-]+|.*"
                    + " NaN|.*Inf");

    private static final int CONSUMER = -1;
    private static final int FOLLOWER = 2;

    private final Metrics metrics = new Metrics(Dialects.usual());

    @Test
    void theTextIsWellFormedAndEveryFamilyIsStartedOnce() {
        metrics.network().opened("PLAINTEXT");
        fetch(CONSUMER, Errors.NONE);
        metrics.traffic().topic("a topic \"with\" a \\ and\nlines").appended(10, 1);

        List<String> lines = metrics.scrape().lines().toList();

        assertThat(lines).allSatisfy(line -> assertThat(line).matches(LINE));
        assertThat(lines.stream().filter(line -> line.startsWith("# TYPE"))).doesNotHaveDuplicates();
    }

    @Test
    void requestsAreCountedByApiAndVersionAndTimedByPhase() {
        metrics.network().received(ApiKeys.FETCH, (short) 18, new FetchRequestData(), 96);
        fetch(CONSUMER, Errors.NONE);

        assertThat(metrics.scrape())
                .contains("kafka_network_requestmetrics_requests_total{request=\"Fetch\",version=\"18\"} 2\n")
                .contains("kafka_network_requestmetrics_totaltimems_count{request=\"Fetch\"} 1\n")
                .contains("kafka_network_requestmetrics_totaltimems_sum{request=\"Fetch\"} 4\n")
                .contains("kafka_network_requestmetrics_localtimems_sum{request=\"Fetch\"} 1\n")
                .contains("kafka_network_requestmetrics_remotetimems_sum{request=\"Fetch\"} 2\n")
                .contains("kafka_network_requestmetrics_responsequeuetimems_sum{request=\"Fetch\"} 1\n")
                .contains("highwater_network_bytes_in_total 200\n")
                .contains("highwater_network_bytes_out_total 1000\n");
    }

    @Test
    void fetchesAreToldApartByWhoFetches() {
        fetch(CONSUMER, Errors.NONE);
        fetch(CONSUMER, Errors.NONE);
        fetch(FOLLOWER, Errors.NONE);

        assertThat(metrics.scrape())
                .contains("requests_total{request=\"Fetch\",version=\"18\"} 3\n")
                .contains("requests_total{request=\"FetchConsumer\",version=\"18\"} 2\n")
                .contains("requests_total{request=\"FetchFollower\",version=\"18\"} 1\n")
                .contains("totaltimems_count{request=\"FetchConsumer\"} 2\n")
                .contains("totaltimems_sum{request=\"FetchFollower\"} 4\n");
    }

    @Test
    void errorsAreCountedByCodeAndApi() {
        fetch(CONSUMER, Errors.NOT_LEADER_OR_FOLLOWER);
        fetch(FOLLOWER, Errors.NONE);
        metrics.network().unanswered(ApiKeys.PRODUCE, Errors.UNKNOWN_SERVER_ERROR);

        assertThat(metrics.scrape())
                .contains("errors_total{request=\"Fetch\",error=\"NONE\"} 3\n")
                .contains("errors_total{request=\"Fetch\",error=\"NOT_LEADER_OR_FOLLOWER\"} 1\n")
                .contains("errors_total{request=\"Produce\",error=\"UNKNOWN_SERVER_ERROR\"} 1\n");
    }

    private void fetch(int replicaId, Errors error) {
        FetchRequestData body =
                new FetchRequestData().setReplicaState(new FetchRequestData.ReplicaState().setReplicaId(replicaId));
        FetchResponseData answer = new FetchResponseData()
                .setResponses(List.of(new FetchResponseData.FetchableTopicResponse()
                        .setPartitions(List.of(new FetchResponseData.PartitionData().setErrorCode(error.code())))));
        metrics.network().received(ApiKeys.FETCH, (short) 18, body, 96);
        metrics.network().answered(new Answered(ApiKeys.FETCH, body, answer), 4_000_000, 1_000);
    }

    private record Answered(ApiKeys api, ApiMessage body, ApiMessage answer) implements AnsweredRequest {
        @Override
        public short version() {
            return 18;
        }

        @Override
        public long arrivalNanos() {
            return 0;
        }

        @Override
        public long handledNanos() {
            return 1_000_000;
        }

        @Override
        public long answeredNanos() {
            return 3_000_000;
        }
    }

    @Test
    void aTopicThatIsForgottenHasNoSeries() {
        metrics.traffic().topic("kept").appended(10, 1);
        metrics.traffic().topic("gone").appended(5, 1);

        metrics.traffic().forget("gone");

        assertThat(metrics.scrape())
                .contains("kafka_server_brokertopicmetrics_bytesin_total 15\n")
                .contains("kafka_server_brokertopicmetrics_bytesin_total{topic=\"kept\"} 10\n")
                .doesNotContain("gone");
    }

    /** A counter that falls is taken for one that began anew: all it had counted would count again. */
    @Test
    void theSumOverTopicsDoesNotFallWhenTopicsGoInTheMiddleOfAScrape() {
        int topics = 2_000; // more than fit into what is written at once
        for (int i = 0; i < topics; i++) {
            metrics.traffic().topic("topic-" + i).appended(10, 1);
        }
        ByteArrayOutputStream text = new ByteArrayOutputStream();

        metrics.scrape((bytes, length) -> {
            text.write(bytes, 0, length);
            for (int i = 0; i < topics; i++) {
                metrics.traffic().forget("topic-" + i);
            }
        });

        assertThat(text.toString(UTF_8)).contains("kafka_server_brokertopicmetrics_bytesin_total 20000\n");
    }

    @Test
    void theJvmAndTheProcessAreThere() {
        assertThat(metrics.scrape())
                .contains(
                        "jvm_memory_used_bytes{area=\"heap\"}",
                        "jvm_memory_bytes_used{area=\"heap\"}",
                        "jvm_gc_collection_seconds_count{gc=",
                        "jvm_threads_current ",
                        "jvm_classes_loaded ",
                        "process_cpu_seconds_total ",
                        "process_resident_memory_bytes ",
                        "process_open_fds ");
    }

    @Test
    void connectionsAreCountedByListenerAndByWhatClientsCallThemselves() {
        metrics.network().opened("PLAINTEXT");
        metrics.network().opened("PLAINTEXT");
        Runnable gone = metrics.network().calledItself("librdkafka", "2.3.0", "PLAINTEXT");
        metrics.network().calledItself("librdkafka", "2.3.0", "PLAINTEXT");
        metrics.network().closed("PLAINTEXT");
        gone.run();

        assertThat(metrics.scrape())
                .contains("kafka_server_socket_server_metrics_connection_count{listener=\"PLAINTEXT\"} 1\n")
                .contains("kafka_server_socket_server_metrics_connection_creation_total{listener=\"PLAINTEXT\"} 2\n")
                .contains(
                        "connections_software{clientSoftwareName=\"librdkafka\",clientSoftwareVersion=\"2.3.0\",listener=\"PLAINTEXT\"}"
                                + " 1\n");
    }

    @Test
    void clientsThatCallThemselvesEverythingAreCountedTogether() {
        for (int i = 0; i < ConnectionMetrics.MOST_SOFTWARE + 5; i++) {
            metrics.network().calledItself("client " + i, "1", "PLAINTEXT");
        }

        assertThat(metrics.scrape())
                .contains("{clientSoftwareName=\"other\",clientSoftwareVersion=\"other\",listener=\"any\"} 5\n");
    }

    @Test
    void aNameThatNobodyGoesByAnyMoreHasNoSeriesAndLeavesRoom() {
        for (int i = 0; i < ConnectionMetrics.MOST_SOFTWARE; i++) {
            metrics.network().calledItself("client " + i, "1", "PLAINTEXT").run();
        }
        metrics.network().calledItself("librdkafka", "2.3.0", "PLAINTEXT");

        assertThat(metrics.scrape().lines().filter(line -> line.contains("connections_software{")))
                .singleElement()
                .asString()
                .contains("librdkafka");
    }
}
