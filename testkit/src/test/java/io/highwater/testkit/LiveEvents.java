package io.highwater.testkit;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** One open stream of a broker's {@code /api/live}, read as it comes. */
final class LiveEvents implements AutoCloseable {
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final List<Event> seen = new ArrayList<>();
    private final InputStream body;
    private final int status;

    /** @param name of the event, such as partitions */
    record Event(String name, JsonObject data) {}

    LiveEvents(TestBroker broker, String query) {
        HttpRequest request =
                HttpRequest.newBuilder(Http.uri(broker, "/api/live?" + query)).build();
        try {
            HttpResponse<InputStream> response = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .build()
                    .send(request, HttpResponse.BodyHandlers.ofInputStream());
            status = response.statusCode();
            body = response.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
        Thread reader = new Thread(this::read, "test-live-events");
        reader.setDaemon(true);
        reader.start();
    }

    int status() {
        return status;
    }

    /** The data of the first event of that name, from now on, that is as wanted. */
    JsonObject await(String name, Predicate<JsonObject> wanted) {
        long deadlineNanos = System.nanoTime() + Await.PATIENCE.toNanos();
        while (true) {
            try {
                Event next = events.poll(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (next == null) {
                    throw new AssertionError("no " + name + " as wanted among " + seen);
                }
                seen.add(next);
                if (next.name.equals(name) && wanted.test(next.data)) {
                    return next.data;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            String name = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event: ")) {
                    name = line.substring("event: ".length());
                } else if (line.startsWith("data: ")) {
                    events.add(new Event(name, new JsonObject(line.substring("data: ".length()))));
                }
            }
        } catch (IOException e) {
            // The test has closed it.
            events.add(new Event("closed", new JsonObject()));
        }
    }

    @Override
    public void close() {
        try {
            body.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
