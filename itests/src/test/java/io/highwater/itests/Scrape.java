package io.highwater.itests;

import io.highwater.testkit.TestBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;

/** What one broker said at {@code /metrics}: values by series, the labels in the order they were written in. */
public record Scrape(String text, Map<String, Double> series) {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    static Scrape of(TestBroker broker) {
        return at(broker.httpPort());
    }

    /** What the broker with that HTTP port says now. */
    public static Scrape at(int port) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .build();
        try {
            return parse(
                    CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Scrape parse(String text) {
        Map<String, Double> series = new LinkedHashMap<>();
        text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            int end = line.lastIndexOf(' ');
            series.put(line.substring(0, end), Double.valueOf(line.substring(end + 1)));
        });
        return new Scrape(text, series);
    }

    /** The value of that series; fails if it is not there. */
    public double value(String name) {
        Double value = series.get(name);
        if (value == null) {
            throw new AssertionError("no series " + name);
        }
        return value;
    }

    /** The value of a partition's series of that family, 0 if this broker has none. */
    public double of(String family, String topic, int partition) {
        return series.getOrDefault(family + "{topic=\"" + topic + "\",partition=\"" + partition + "\"}", 0.0);
    }

    /** The sum over all series of that family. */
    public double sum(String family) {
        return series.entrySet().stream()
                .filter(each -> each.getKey().startsWith(family + "{"))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }
}
