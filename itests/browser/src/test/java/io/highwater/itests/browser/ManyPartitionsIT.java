package io.highwater.itests.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.CDPSession;
import io.highwater.testkit.HighwaterCluster;
import io.highwater.testkit.HighwaterTestCluster;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A hundred partitions with three replicas each, all on screen and all written to. */
@ExtendWith(Chromium.class)
@HighwaterCluster(
        brokers = 3,
        config = {"highwater.http.port=0", "min.insync.replicas=2"})
class ManyPartitionsIT {
    private static final String TOPIC = "many";
    private static final int PARTITIONS = 100;
    private static final int RECORDS_PER_ROUND = 5;
    private static final int ROUND_MS = 200;
    private static final int FRAMES = 300;

    /** The page's own work must leave most of a core idle; what a busy machine does to frames is printed, and not judged. */
    private static final double MOST_OF_A_CORE = 0.5;

    private static final double NO_SHIFT = 0.01;

    private static final String FRAME_TIMES = """
        (frames) => new Promise((done) => {
            const times = [];
            let last = performance.now();
            const next = (now) => {
                times.push(now - last);
                last = now;
                times.length < frames ? requestAnimationFrame(next) : done(times.slice(1));
            };
            requestAnimationFrame(next);
        })
        """;

    @Test
    void aHundredPartitionsMoveAtOnceWithoutAStutter(HighwaterTestCluster cluster, Browser browser) {
        cluster.createTopic(TOPIC, PARTITIONS, 3, Map.of());
        ScheduledExecutorService load = Executors.newSingleThreadScheduledExecutor();
        try (LivePage live = LivePage.open(browser, cluster.broker(1), 2200, 1500);
                Writer writer = new Writer(cluster)) {
            live.lookAt(TOPIC);
            var round = load.scheduleWithFixedDelay(() -> writeRound(writer), 0, ROUND_MS, TimeUnit.MILLISECONDS);
            for (int partition : List.of(0, 50, PARTITIONS - 1)) {
                assertThat(live.card(TOPIC, partition).locator("[data-of=hw]"))
                        .not()
                        .hasText("–");
                assertThat(live.card(TOPIC, partition)).isInViewport();
            }
            CDPSession session = live.context().newCDPSession(live.page());
            JsonObject clock = new JsonObject();
            clock.addProperty("timeDomain", "threadTicks");
            session.send("Performance.enable", clock);

            double busyBefore = mainThreadSeconds(session);
            long startedNs = System.nanoTime();
            List<Double> frames = ((List<?>) live.page().evaluate(FRAME_TIMES, FRAMES))
                    .stream()
                            .map(each -> ((Number) each).doubleValue())
                            .sorted()
                            .toList();
            double seconds = (System.nanoTime() - startedNs) / 1e9;
            double busy = (mainThreadSeconds(session) - busyBefore) / seconds;

            System.out.printf(
                    "%d partitions x 3 on screen: frames p50 %.1f ms, p95 %.1f ms, p99 %.1f ms, longest %.1f ms; main"
                            + " thread %.0f %% of a core; shift %.4f%n",
                    PARTITIONS,
                    at(frames, 0.5),
                    at(frames, 0.95),
                    at(frames, 0.99),
                    at(frames, 1),
                    busy * 100,
                    live.shifted());
            assertThat(busy).isLessThan(MOST_OF_A_CORE);
            assertThat(live.shifted()).isLessThan(NO_SHIFT);
            assertThat(live.errors()).isEmpty();
            assertThat(round.isDone()).isFalse();
        } finally {
            load.shutdownNow();
        }
    }

    /** One round for all partitions; a round that is late is not made up for. */
    private static void writeRound(Writer writer) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            var unused = writer.send(TOPIC, partition, RECORDS_PER_ROUND);
        }
    }

    private static double at(List<Double> sorted, double share) {
        return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(sorted.size() * share)));
    }

    private static double mainThreadSeconds(CDPSession session) {
        for (JsonElement metric : session.send("Performance.getMetrics").getAsJsonArray("metrics")) {
            if (metric.getAsJsonObject().get("name").getAsString().equals("ThreadTime")) {
                return metric.getAsJsonObject().get("value").getAsDouble();
            }
        }
        throw new AssertionError("Chromium does not tell how busy the page is");
    }
}
