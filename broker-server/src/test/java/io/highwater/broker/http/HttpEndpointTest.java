package io.highwater.broker.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.highwater.broker.metrics.Dialects;
import io.highwater.broker.metrics.Metrics;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpEndpointTest {
    private final Vertx vertx = Vertx.vertx();
    private final Metrics metrics = new Metrics(Dialects.usual());
    private final AtomicReference<@Nullable String> notReady = new AtomicReference<>();
    private final HttpEndpoint endpoint = new HttpEndpoint(vertx, metrics, notReady::get);
    private final int port = wait(endpoint.start("127.0.0.1", 0));

    @AfterEach
    void close() {
        wait(endpoint.close());
        wait(vertx.close());
    }

    @Test
    void metricsAreTextForPrometheus() throws Exception {
        HttpResponse<String> answer = get("/metrics");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
        assertThat(answer.body()).contains("jvm_memory_used_bytes").contains("highwater_network_bytes_in_total");
    }

    /** An event loop that wrote half a million lines would serve nobody meanwhile. */
    @Test
    void aScrapeIsWrittenOnNoEventLoop() throws Exception {
        AtomicBoolean onLoop = new AtomicBoolean(true);
        metrics.add(out -> onLoop.set(Context.isOnEventLoopThread()));

        get("/metrics");

        assertThat(onLoop).isFalse();
    }

    @Test
    void moreThanFitsIntoMemoryAtOnceArrivesWhole() throws Exception {
        int lines = 100_000;
        metrics.add(out -> {
            out.gauge("many", "More than all pieces together");
            for (int i = 0; i < lines; i++) {
                out.partition("a-topic-with-a-name", i, i);
            }
        });

        String text = get("/metrics").body();

        assertThat(text.lines().filter(line -> line.startsWith("many{"))).hasSize(lines);
        assertThat(text).contains("many{topic=\"a-topic-with-a-name\",partition=\"99999\"} 99999\n");
    }

    @Test
    void aScrapeThatFailsOnItsWayIsNoScrape() {
        metrics.add(out -> {
            throw new IllegalStateException("on purpose");
        });

        try {
            assertThat(get("/metrics").statusCode()).isEqualTo(500);
        } catch (IOException | InterruptedException e) {
            assertThat(e).isInstanceOf(IOException.class); // broken off: half of it had been sent
        }
    }

    @Test
    void oneScrapeMoreThanTheBoundIsRefused() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        metrics.add(out -> assertThatNoException().isThrownBy(() -> go.await(10, TimeUnit.SECONDS)));
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .build();

        List<CompletableFuture<Integer>> answers = IntStream.rangeClosed(0, HttpEndpoint.MOST_SCRAPES)
                .mapToObj(i -> client.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                        .thenApply(HttpResponse::statusCode))
                .toList();

        assertThat(CompletableFuture.anyOf(answers.toArray(new CompletableFuture<?>[0]))
                        .get(10, TimeUnit.SECONDS))
                .isEqualTo(503);
        go.countDown();
        assertThat(answers.stream().filter(answer -> answer.join() == 200)).hasSize(HttpEndpoint.MOST_SCRAPES);
    }

    /** {@link URI} would refuse to ask this. */
    @Test
    void aQueryThatCannotBeDecodedIsAnswered() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write("GET /api/live?partitions=%%% HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));

            String status = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII)).readLine();

            assertThat(status).isEqualTo("HTTP/1.1 400 Bad Request");
        }
    }

    @Test
    void theProcessIsHealthyAsSoonAsItAnswers() throws Exception {
        notReady.set("starting");

        assertThat(get("/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void readyOrTheReasonWhyNot() throws Exception {
        assertThat(get("/readyz").statusCode()).isEqualTo(200);

        notReady.set("recovering 3 of 7 logs");

        assertThat(get("/readyz").statusCode()).isEqualTo(503);
        assertThat(get("/readyz").body()).contains("recovering 3 of 7 logs");
    }

    @Test
    void everythingElseIsNotThere() throws Exception {
        assertThat(get("/nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void aTakenPortIsNamedInOneSentence() {
        Future<Integer> second = new HttpEndpoint(vertx, metrics, notReady::get).start("0.0.0.0", port);

        assertThat(second.toCompletionStage().toCompletableFuture())
                .failsWithin(10, TimeUnit.SECONDS)
                .withThrowableThat()
                .withMessageContaining("highwater.http.port: cannot listen on 0.0.0.0:" + port)
                .withMessageContaining("already in use");
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static <T> T wait(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }
}
