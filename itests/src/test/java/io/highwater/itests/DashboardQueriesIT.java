package io.highwater.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.testkit.HighwaterCluster;
import io.highwater.testkit.HighwaterTestCluster;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Our dashboards and alerts, and those that others have, find in a live cluster's scrapes what they ask for. */
class DashboardQueriesIT {
    @Test
    @HighwaterCluster(brokers = 3, config = "highwater.http.port=0")
    void everyQueryOfOursFindsWhatItAsksFor(HighwaterTestCluster cluster) throws Exception {
        cluster.createTopic("orders", 3, 3, Map.of("min.insync.replicas", "2"));
        List<PromQuery> queries =
                Dashboards.everyQuery().stream().map(PromQuery::parse).toList();

        try (Traffic traffic = new Traffic(cluster, "orders")) {
            traffic.awaitUnderWay();
            Awaitility.await().untilAsserted(() -> {
                ScrapedSeries scraped = scraped(cluster);
                assertThat(queries.stream()
                                .flatMap(each -> each.missingFrom(scraped).stream())
                                .distinct())
                        .isEmpty();
            });
        }
    }

    @Test
    @HighwaterCluster(
            brokers = 3,
            config = {"highwater.http.port=0", "highwater.metrics.dialects=j,ke,c,r,b,rp"})
    void whatWidelyUsedDashboardsAskForIsThere(HighwaterTestCluster cluster) throws Exception {
        cluster.createTopic("orders", 3, 3, Map.of("min.insync.replicas", "2"));

        try (Traffic traffic = new Traffic(cluster, "orders")) {
            traffic.awaitUnderWay();
            Awaitility.await().untilAsserted(() -> {
                Coverage coverage = new Coverage(scraped(cluster));
                assertThat(coverage.missing()).isEqualTo(coverage.knownToBeMissing());
                assertThat(coverage.share()).isGreaterThanOrEqualTo(0.95);
                System.out.println(coverage.report());
            });
        }
    }

    private static ScrapedSeries scraped(HighwaterTestCluster cluster) {
        return new ScrapedSeries(cluster.brokers().stream().map(Scrape::of).toList());
    }
}
