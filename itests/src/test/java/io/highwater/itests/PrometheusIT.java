package io.highwater.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.testkit.HighwaterCluster;
import io.highwater.testkit.HighwaterTestCluster;
import io.highwater.testkit.TestBroker;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dashboards and alerts with a real Prometheus, which has to be installed: {@code mvn verify -Pprometheus}. */
@Tag("prometheus")
class PrometheusIT {
    /** Rates need a while of scrapes. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What is to be seen of the death of one broker of three, while it is dead. */
    private static final List<String> ALARMS =
            List.of("BrokerDown", "FencedBroker", "UnderReplicatedPartitions", "AtMinIsr");

    @TempDir
    Path directory;

    /** Where each broker tells of itself; one that is down is still asked where it was. */
    private final Map<Integer, Integer> ports = new HashMap<>();

    @Test
    void alertsAreWellFormedAndDoWhatTheirUnitTestsSay() throws Exception {
        assertThat(PrometheusServer.promtool("check", "rules", Dashboards.RULES.toString()))
                .contains("SUCCESS: " + Dashboards.alertNames().size());
        assertThat(PrometheusServer.promtool("test", "rules", Dashboards.RULES_TEST.toString()))
                .contains("SUCCESS");
    }

    @Test
    @HighwaterCluster(brokers = 3, config = "highwater.http.port=0")
    void panelsHaveDataAndAlertsFollowTheDeathOfABroker(HighwaterTestCluster cluster) throws Exception {
        cluster.createTopic("orders", 3, 3, Map.of("min.insync.replicas", "2"));
        Path targets = directory.resolve("targets.json");
        scrape(cluster, targets);

        try (PrometheusServer prometheus = new PrometheusServer(directory, targets);
                Traffic traffic = new Traffic(cluster, "orders")) {
            traffic.awaitUnderWay();
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(prometheus.query("up == 1")).hasSize(3));
            await().untilAsserted(
                            () -> assertThat(panelsWithoutData(prometheus)).isEmpty());
            await().untilAsserted(() -> assertThat(prometheus.firing()).doesNotContainAnyElementsOf(ALARMS));

            cluster.broker(3).kill();
            await().untilAsserted(() -> assertThat(prometheus.firing()).containsAll(ALARMS));
            assertThat(prometheus.firing())
                    .doesNotContain("OfflinePartitions", "UnderMinIsr", "UncleanLeaderElection", "NoActiveController");

            cluster.broker(3).start();
            scrape(cluster, targets);
            await().untilAsserted(() -> assertThat(prometheus.firing()).doesNotContainAnyElementsOf(ALARMS));
        }
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500));
    }

    private static List<String> panelsWithoutData(PrometheusServer prometheus) {
        List<String> without = new ArrayList<>();
        Dashboards.all().forEach((name, dashboard) -> {
            for (JsonObject panel : Dashboards.panels(dashboard)) {
                for (String query : Dashboards.queries(panel)) {
                    if (prometheus.query(chosen(query)).isEmpty()) {
                        without.add(name + ": " + panel.getString("title") + ": " + query);
                    }
                }
            }
        });
        return without;
    }

    /** A query as Grafana asks it when everything is chosen. */
    private static String chosen(String query) {
        return query.replace("\"$job\"", "\"highwater\"")
                .replace("$__rate_interval", "10s")
                .replaceAll("\"\\$\\w+\"", "\".*\"");
    }

    private void scrape(HighwaterTestCluster cluster, Path targets) throws IOException {
        cluster.brokers().stream().filter(TestBroker::isRunning).forEach(each -> ports.put(each.id(), each.httpPort()));
        JsonArray groups = new JsonArray();
        ports.forEach((id, port) -> groups.add(new JsonObject()
                .put("targets", new JsonArray().add("127.0.0.1:" + port))
                .put("labels", new JsonObject().put("instance", "broker-" + id))));
        Path next = Files.writeString(directory.resolve("targets.next"), groups.encode());
        Files.move(next, targets, StandardCopyOption.ATOMIC_MOVE);
    }
}
