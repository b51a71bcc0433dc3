package io.highwater.itests.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.highwater.testkit.HighwaterCluster;
import io.highwater.testkit.HighwaterTestCluster;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the live view promises, seen in a browser. */
@ExtendWith(Chromium.class)
@HighwaterCluster(
        brokers = 3,
        config = {
            "highwater.http.port=0",
            "highwater.step.enabled=true",
            "min.insync.replicas=2",
            "replica.lag.time.max.ms=60000",
            "broker.session.timeout.ms=60000"
        })
class LiveViewIT {
    private final HighwaterTestCluster cluster;
    private final String topic;
    private final Browser browser;

    LiveViewIT(HighwaterTestCluster cluster, TestInfo test, Browser browser) {
        this.cluster = cluster;
        this.topic = test.getTestMethod().orElseThrow().getName();
        this.browser = browser;
    }

    @BeforeEach
    void aTopicLedByBroker1() {
        cluster.createTopic(topic, List.of(List.of(1, 2, 3)), Map.of());
    }

    @AfterEach
    void calm() {
        cluster.endFaults();
        cluster.startAll();
    }

    @Test
    void aPausedFollowerStopsTheHighWatermarkUntilItGoesOn() {
        try (LivePage live = LivePage.open(browser, cluster.broker(1));
                Writer writer = new Writer(cluster)) {
            live.lookAt(topic);
            Locator card = live.card(topic, 0);
            Writer.await(writer.send(topic, 0, 10));
            live.awaitMarks(card, 10, 10);

            cluster.broker(3).pause();
            Future<RecordMetadata> first = writer.send(topic, 0, 5);
            live.awaitMarks(card, 10, 15);
            live.awaitEnds(card, List.of(1, 2, 3), List.of(15L, 15L, 10L));
            assertThat(card.locator("[data-of=uncommitted]")).hasText("5 uncommitted");
            assertThat(card.locator("[data-of=note]")).containsText("waits for broker 3");
            Future<RecordMetadata> second = writer.send(topic, 0, 7);
            live.awaitMarks(card, 10, 22);
            assertThat(card.locator("[data-broker='3'] .lag")).hasText("−12");
            assertThat(first).isNotDone();

            cluster.broker(3).resume();
            live.awaitMarks(card, 22, 22);
            assertThat(card.locator("[data-of=uncommitted]")).hasText("all committed");
            assertThat(card.locator("[data-broker='3'] .lag")).hasText("level");
            Writer.await(first);
            Writer.await(second);
            assertThat(live.errors()).isEmpty();
        }
    }

    @Test
    void aKilledBrokerLeavesTheIsrWithItsReason() {
        try (LivePage live = LivePage.open(browser, cluster.broker(1));
                Writer writer = new Writer(cluster)) {
            live.lookAt(topic);
            Locator card = live.card(topic, 0);
            Writer.await(writer.send(topic, 0, 3));
            assertThat(card.locator("[data-of=isr]")).containsText("all 3 in the ISR");

            cluster.broker(3).kill();

            assertThat(card.locator("[data-of=isr]")).containsText("ISR 1, 2 of 3");
            assertThat(card.locator("[data-of=note]")).containsText("3 is out: ");
            assertThat(card).hasAttribute("data-state", "under");
            assertThat(live.page().locator("#events li[data-loss]").filter(hasText("(follower|broker) 3")))
                    .not()
                    .hasCount(0);
            assertThat(live.page().locator("#brokers [data-broker='3']")).not().containsText("running");
            assertThat(live.page().locator("#sum-brokers")).hasText("2 of 3");

            cluster.broker(3).start();
            assertThat(card.locator("[data-of=isr]")).containsText("all 3 in the ISR");
            assertThat(live.errors()).isEmpty();
        }
    }

    /** Log ends and high watermark as in Kafka's own explanation of replication, one fetch at a time, from the page. */
    @Test
    void stepModeWalksThroughTheReplicationOfTwoRecords() {
        try (LivePage live = LivePage.open(browser, cluster.broker(1));
                Writer writer = new Writer(cluster)) {
            live.lookAt(topic);
            Locator card = live.card(topic, 0);
            Writer.await(writer.send(topic, 0, 10));
            live.awaitMarks(card, 10, 10);
            live.awaitEnds(card, List.of(1, 2, 3), List.of(10L, 10L, 10L));

            hold(live, 2);
            hold(live, 3);
            awaitStep(live, card, 10, 10L, 10L, 10L);
            Future<RecordMetadata> acknowledged = writer.send(topic, 0, 2);
            awaitStep(live, card, 10, 12L, 10L, 10L);
            letOneGo(live, 2);
            awaitStep(live, card, 10, 12L, 12L, 10L);
            letOneGo(live, 3);
            awaitStep(live, card, 10, 12L, 12L, 12L);
            letOneGo(live, 2);
            awaitHeld(live, 2);
            awaitStep(live, card, 10, 12L, 12L, 12L);
            assertThat(acknowledged).isNotDone();
            letOneGo(live, 3);
            awaitStep(live, card, 12, 12L, 12L, 12L);
            Writer.await(acknowledged);

            live.page().getByText("Let everything run").click();
            assertThat(live.page().locator("#step li[data-follower='2']")).containsText("fetches freely");
            assertThat(live.errors()).isEmpty();
        }
    }

    @Test
    void aLostConnectionIsSaidAndComesBackByItself() {
        try (LivePage live = LivePage.open(browser, cluster.broker(1))) {
            List<String> asked = new CopyOnWriteArrayList<>();
            assertThat(live.page().locator("#events li:not(.nothing)")).not().hasCount(0);
            live.page().onRequest(request -> asked.add(request.url()));
            live.context().setOffline(true);
            assertThat(live.page().locator("#lost")).isVisible();
            assertThat(live.page().locator("#connection")).hasText("Not connected");

            live.context().setOffline(false);
            assertThat(live.page().locator("#connection")).hasText("Live");
            assertThat(live.page().locator("#lost")).isHidden();
            assertThat(asked).anyMatch(url -> url.contains("/api/live?") && url.contains("&since=1%3A"));
        }
    }

    @Test
    void aHiddenPageHasNoStream() {
        try (LivePage live = LivePage.open(browser, cluster.broker(1))) {
            List<String> ended = new CopyOnWriteArrayList<>();
            live.page().onRequestFailed(request -> ended.add(request.url()));

            show(live, false);
            assertThat(live.page().locator("#connection")).hasText("Paused while hidden");
            live.page().waitForCondition(() -> ended.stream().anyMatch(url -> url.contains("/api/live")));

            show(live, true);
            assertThat(live.page().locator("#connection")).hasText("Live");
        }
    }

    @Test
    void aReaderWithoutAMouseGetsEverywhere() {
        cluster.createTopic(topic + "-wide", List.of(List.of(1, 2, 3), List.of(2, 3, 1)), Map.of());
        try (LivePage live = LivePage.open(browser, cluster.broker(1))) {
            Page page = live.page();
            page.keyboard().press("Tab");
            assertThat(page.locator(":focus")).hasText("Skip to the partitions");
            page.keyboard().press("Enter");
            assertThat(page.locator("main")).isFocused();

            live.lookAt(topic + "-wide");
            live.card(topic + "-wide", 0).locator("button.open").focus();
            page.keyboard().press("ArrowRight");
            Locator second = live.card(topic + "-wide", 1).locator("button.open");
            assertThat(second).isFocused();
            page.keyboard().press("Enter");
            assertThat(page.locator("dialog h2")).hasText(topic + "-wide-1");
            assertThat(page.locator("dialog td").first()).not().isEmpty();
            page.keyboard().press("Escape");
            assertThat(page.locator("dialog")).isHidden();
            assertThat(second).isFocused();
            assertThat(page.evaluate(NAMELESS)).isEqualTo(List.of());
            assertThat(live.errors()).isEmpty();
        }
    }

    /** Controls without a name, sections without a heading or label, pictures without a text. */
    private static final String NAMELESS = """
        [...document.querySelectorAll('button, select, input, a, section, nav, aside, dialog, [role=table], img')].filter((element) =>
            !(element.getAttribute('aria-label') || element.getAttribute('aria-labelledby') || element.labels?.length
                || element.textContent.trim() || element.hasAttribute('alt')))
            .map((element) => element.outerHTML.slice(0, 100))
        """;

    private static Locator.FilterOptions hasText(String pattern) {
        return new Locator.FilterOptions().setHasText(Pattern.compile(pattern));
    }

    /** A tab cannot be hidden in headless Chromium, but the page can be told so. */
    private static void show(LivePage live, boolean visible) {
        live.page()
                .evaluate(
                        "hidden => { Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden"
                                + " }); document.dispatchEvent(new Event('visibilitychange')); }",
                        !visible);
    }

    private static void hold(LivePage live, int follower) {
        live.page()
                .locator("#step li[data-follower='" + follower + "'] button")
                .first()
                .click();
        awaitHeld(live, follower);
    }

    private static void letOneGo(LivePage live, int follower) {
        awaitHeld(live, follower);
        live.page()
                .locator("#step li[data-follower='" + follower + "'] button")
                .last()
                .click();
    }

    private static void awaitHeld(LivePage live, int follower) {
        assertThat(live.page().locator("#step li[data-follower='" + follower + "']"))
                .hasAttribute("data-held", "yes");
    }

    private static void awaitStep(LivePage live, Locator card, long highWatermark, Long... ends) {
        live.awaitEnds(card, List.of(1, 2, 3), List.of(ends));
        live.awaitMarks(card, highWatermark, ends[0]);
    }
}
