package io.highwater.itests;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The labels of all series of some scrapes by name, with those that Prometheus adds. */
final class ScrapedSeries {
    private static final Pattern SERIES = Pattern.compile("([a-zA-Z_:0-9]+)(?:\\{(.*)})?");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_0-9]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Map<String, String> ADDED = Map.of("job", "highwater", "instance", "a-broker");

    private final Map<String, List<Map<String, String>>> byName = new HashMap<>();

    ScrapedSeries(List<Scrape> scrapes) {
        byName.put("up", List.of(ADDED));
        scrapes.forEach(scrape -> scrape.series().keySet().forEach(this::add));
    }

    private void add(String series) {
        Matcher matcher = SERIES.matcher(series);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(series);
        }
        Map<String, String> labels = new HashMap<>(ADDED);
        if (matcher.group(2) != null) {
            Matcher label = LABEL.matcher(matcher.group(2));
            while (label.find()) {
                labels.put(label.group(1), label.group(2));
            }
        }
        byName.computeIfAbsent(matcher.group(1), name -> new ArrayList<>()).add(labels);
    }

    /** Of each series of that name, its labels; none if there is no such series. */
    List<Map<String, String>> of(String name) {
        return byName.getOrDefault(name, List.of());
    }
}
