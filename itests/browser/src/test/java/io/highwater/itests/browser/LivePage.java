package io.highwater.itests.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.highwater.testkit.TestBroker;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The live view of one broker, open in a browser. One thread: Playwright's. */
final class LivePage implements AutoCloseable {
    private final BrowserContext context;
    private final Page page;
    private final List<String> errors = new CopyOnWriteArrayList<>();

    private LivePage(BrowserContext context) {
        this.context = context;
        this.page = context.newPage();
        page.onPageError(errors::add);
        page.addInitScript("""
            window.shifted = 0;
            new PerformanceObserver((list) => list.getEntries().forEach((entry) => { window.shifted += entry.value; }))
                .observe({ type: 'layout-shift', buffered: true });
            """);
    }

    static LivePage open(Browser browser, TestBroker broker) {
        return open(browser, broker, 1440, 900);
    }

    static LivePage open(Browser browser, TestBroker broker, int width, int height) {
        LivePage live =
                new LivePage(browser.newContext(new Browser.NewContextOptions().setViewportSize(width, height)));
        live.page.navigate("http://127.0.0.1:" + broker.httpPort() + "/");
        assertThat(live.page.locator("#connection")).hasText("Live");
        return live;
    }

    Page page() {
        return page;
    }

    BrowserContext context() {
        return context;
    }

    /** What went wrong in the page's own code. */
    List<String> errors() {
        return errors;
    }

    /** Brings a topic on screen: what is not there is not kept up to date. */
    void lookAt(String topic) {
        page.locator("#filter").fill(topic);
    }

    Locator card(String topic, int partition) {
        return page.locator("[data-partition='" + topic + "-" + partition + "']");
    }

    void awaitMarks(Locator card, long highWatermark, long logEndOffset) {
        assertThat(card.locator("[data-of=hw]")).hasText(String.valueOf(highWatermark));
        assertThat(card.locator("[data-of=leo]")).hasText(String.valueOf(logEndOffset));
    }

    /** Log end offsets of the replicas on these brokers. */
    void awaitEnds(Locator card, List<Integer> brokers, List<Long> ends) {
        for (int i = 0; i < brokers.size(); i++) {
            assertThat(card.locator("[data-broker='" + brokers.get(i) + "'] .end"))
                    .hasText(String.valueOf(ends.get(i)));
        }
    }

    /** How much of what was visible has jumped: 0 is nothing, 1 the whole page. */
    double shifted() {
        return ((Number) page.evaluate("window.shifted")).doubleValue();
    }

    @Override
    public void close() {
        context.close();
    }
}
