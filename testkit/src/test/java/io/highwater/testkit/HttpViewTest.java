package io.highwater.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What any broker tells of the cluster over HTTP. */
@HighwaterCluster(
        brokers = 3,
        config = {"replica.lag.time.max.ms=3000", "highwater.http.port=0", "highwater.step.enabled=true"})
class HttpViewTest {
    private final HighwaterTestCluster cluster;
    private final String topic;

    HttpViewTest(HighwaterTestCluster cluster, TestInfo test) {
        this.cluster = cluster;
        this.topic = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void calm() {
        cluster.endFaults();
        cluster.startAll();
    }

    @Test
    void anyBrokerTellsOfAPartitionWhatAllOfItsBrokersKnow() {
        cluster.createTopic(topic, List.of(List.of(1, 2, 3)), Map.of("min.insync.replicas", "2"));
        Clients.write(cluster, topic, "a", "b");

        for (TestBroker asked : cluster.brokers()) {
            JsonObject partition = Http.awaitJson(
                    asked,
                    "/api/partitions/" + topic + "/0",
                    answer -> Http.objects(answer, "replicas").stream()
                            .allMatch(replica -> replica.getLong("highWatermark") == 2));

            assertThat(partition.getInteger("leader")).isEqualTo(1);
            assertThat(partition.getLong("highWatermark")).isEqualTo(2);
            assertThat(partition.getInteger("minInsyncReplicas")).isEqualTo(2);
            assertThat(Http.objects(partition, "replicas"))
                    .extracting(replica -> replica.getInteger("broker"), replica -> replica.getBoolean("known"))
                    .containsExactly(tuple(1, true), tuple(2, true), tuple(3, true));
        }
    }

    @Test
    void whatIsNotThereIsSaidInASentence() {
        assertThat(Http.get(cluster.broker(1), "/api/partitions/nothing/0"))
                .returns(404, answer -> answer.statusCode())
                .returns("{\"error\":\"there is no topic nothing\"}", answer -> answer.body());
    }
}
